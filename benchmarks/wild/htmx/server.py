"""Serves Corner Shop: ``python -m benchmarks.wild.htmx.server --port 8000``, with ``--fixed`` for the twin."""

import argparse
import json
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import jinja2
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from benchmarks.wild.htmx.shop import CATEGORIES, Shop

HERE = Path(__file__).parent
STATIC = HERE / "static"
VENDOR = {
    "htmx.js": HERE / "node_modules" / "htmx.org" / "dist" / "htmx.min.js",
    "alpine.js": HERE / "node_modules" / "alpinejs" / "dist" / "cdn.min.js",
}
TABS = {"details": "Details", "suppliers": "Suppliers", "deliveries": "Deliveries"}


def by_htmx(request: Request) -> bool:
    return request.headers.get("HX-Request") == "true"


async def fields(request: Request) -> dict[str, list[str]]:
    return parse_qs((await request.body()).decode(), keep_blank_values=True)


def one(values: dict[str, list[str]], name: str, default: str = "") -> str:
    return values.get(name, [default])[0]


def back_to(url: str) -> Response:
    return RedirectResponse(url, status_code=303)


class CornerShop:
    """The pages and the fragments of pages."""

    def __init__(self, fixed: bool) -> None:
        self.fixed = fixed
        self.shop = Shop()
        self.templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(HERE / "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
        )
        self.templates.globals.update(fixed=fixed, categories=CATEGORIES, tabs=TABS)
        self.templates.filters["money"] = lambda amount: f"£{amount:.2f}"

    def html(self, template: str, headers: dict[str, str] | None = None, **values: object) -> Response:
        return HTMLResponse(self.templates.get_template(template).render(values), headers=headers)

    # Stock

    async def stock(self, request: Request) -> Response:
        q, category = request.query_params.get("q", ""), request.query_params.get("category", "")
        return self.html("stock.html", products=self.shop.find(q, category), q=q, category=category)

    async def stock_rows(self, request: Request) -> Response:
        q, category = request.query_params.get("q", ""), request.query_params.get("category", "")
        return self.html("_stock_rows.html", products=self.shop.find(q, category))

    async def product_row(self, request: Request) -> Response:
        return self.html("_stock_row.html", product=self.shop.product(request.path_params["id"]))

    async def product_edit(self, request: Request) -> Response:
        template = "_stock_row_edit.html" if by_htmx(request) else "product_edit.html"
        return self.html(template, product=self.shop.product(request.path_params["id"]))

    async def product_save(self, request: Request) -> Response:
        values = await fields(request)
        product = self.shop.product(request.path_params["id"])
        product.shelf_label = one(values, "shelf_label", product.shelf_label).strip()
        product.reorder_at = int(one(values, "reorder_at", str(product.reorder_at)))
        if not by_htmx(request):
            return back_to("/stock")
        headers = {"HX-Trigger": "stockSaved"} if self.fixed else None
        return self.html("_stock_row.html", headers, product=product)

    # One product

    async def product(self, request: Request) -> Response:
        tab = request.query_params.get("tab", "details")
        if tab not in TABS:
            raise HTTPException(404)
        return self.html("product.html", product=self.shop.product(request.path_params["id"]), tab=tab)

    async def product_tab(self, request: Request) -> Response:
        tab = request.path_params["tab"]
        if tab not in TABS:
            raise HTTPException(404)
        return self.html("_product_tab.html", product=self.shop.product(request.path_params["id"]), tab=tab)

    async def product_quantity(self, request: Request) -> Response:
        values = await fields(request)
        product = self.shop.product(request.path_params["id"])
        product.on_hand = max(0, product.on_hand + int(one(values, "delta", "0")))
        return HTMLResponse(str(product.on_hand)) if by_htmx(request) else back_to(f"/products/{product.id}")

    # Orders

    async def orders(self, request: Request) -> Response:
        return self.html("orders.html", shop=self.shop, key=self.shop.new_form_key())

    async def order_form(self, request: Request) -> Response:
        return self.html("_order_form.html", shop=self.shop, key=self.shop.new_form_key())

    async def order_place(self, request: Request) -> Response:
        values = await fields(request)
        order = self.shop.place(
            self.shop.product(int(one(values, "product"))),
            int(one(values, "quantity", "1")),
            one(values, "note").strip(),
            one(values, "key"),
        )
        return self.html("_order_placed.html", shop=self.shop, order=order) if by_htmx(request) else back_to("/orders")

    # Picking

    async def picking(self, request: Request) -> Response:
        aisles = sorted({line.aisle for line in self.shop.pick_lines})
        return self.html("picking.html", shop=self.shop, aisles=aisles)

    async def pick(self, request: Request) -> Response:
        values = await fields(request)
        self.shop.pick_line(request.path_params["id"]).picked = "picked" in values
        return self.html("_picked.html", shop=self.shop)

    # Messages

    async def messages(self, request: Request) -> Response:
        archived = [int(message_id) for message_id in request.query_params.getlist("archived")]
        return self.html("messages.html", messages=self.shop.messages, archived=archived)

    async def message(self, request: Request) -> Response:
        return self.html("message.html", message=self.shop.message(request.path_params["id"]), replying=False)

    async def reply_form(self, request: Request) -> Response:
        message = self.shop.message(request.path_params["id"])
        if self.fixed and not by_htmx(request):
            return self.html("message.html", message=message, replying=True)
        return self.html("_reply_form.html", message=message)

    async def reply(self, request: Request) -> Response:
        message = self.shop.message(request.path_params["id"])
        message.reply = one(await fields(request), "text").strip()
        return self.html("_reply.html", message=message) if by_htmx(request) else back_to(f"/messages/{message.id}")

    async def archive(self, request: Request) -> Response:
        message = self.shop.message(request.path_params["id"])
        message.archived = True
        if not by_htmx(request):
            return back_to("/messages?" + urlencode({"archived": message.id}))
        headers = {"HX-Trigger": json.dumps({"archived": {"id": message.id}})}
        return self.html("_message_item.html", headers, message=message)

    async def restore(self, request: Request) -> Response:
        messages = [self.shop.message(int(message_id)) for message_id in (await fields(request)).get("id", [])]
        for message in messages:
            message.archived = False
        return self.html("_restored.html", messages=messages) if by_htmx(request) else back_to("/messages")

    # Files and data

    async def static(self, request: Request) -> Response:
        name = request.path_params["name"]
        fixed = STATIC / "fixed" / name
        path = fixed if self.fixed and fixed.is_file() else STATIC / name
        if not path.is_file():
            raise HTTPException(404)
        return FileResponse(path)

    async def vendor(self, request: Request) -> Response:
        path = VENDOR.get(request.path_params["name"])
        if path is None:
            raise HTTPException(404)
        return FileResponse(path)

    async def reset(self, request: Request) -> Response:
        self.shop = Shop()
        return Response(status_code=204)

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", self.stock),
                Route("/stock", self.stock),
                Route("/stock/search", self.stock_rows),
                Route("/stock/refresh", self.stock_rows),
                Route("/products/{id:int}", self.product),
                Route("/products/{id:int}", self.product_save, methods=["POST"]),
                Route("/products/{id:int}/row", self.product_row),
                Route("/products/{id:int}/edit", self.product_edit),
                Route("/products/{id:int}/tab/{tab}", self.product_tab),
                Route("/products/{id:int}/quantity", self.product_quantity, methods=["POST"]),
                Route("/orders", self.orders),
                Route("/orders", self.order_place, methods=["POST"]),
                Route("/orders/form", self.order_form),
                Route("/picking", self.picking),
                Route("/picking/{id:int}", self.pick, methods=["POST"]),
                Route("/messages", self.messages),
                Route("/messages/restore", self.restore, methods=["POST"]),
                Route("/messages/{id:int}", self.message),
                Route("/messages/{id:int}/reply", self.reply_form),
                Route("/messages/{id:int}/reply", self.reply, methods=["POST"]),
                Route("/messages/{id:int}/archive", self.archive, methods=["POST"]),
                Route("/static/{name}", self.static),
                Route("/vendor/{name}", self.vendor),
                Route("/__reset", self.reset, methods=["POST"]),
            ],
            exception_handlers={KeyError: not_found},
        )


async def not_found(request: Request, error: Exception) -> Response:
    return HTMLResponse("<p>There is no such page.</p>", status_code=404)


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves Corner Shop")
    parser.add_argument("--port", type=int, default=8000)
    parser.add_argument("--fixed", action="store_true", help="serve the twin")
    options = parser.parse_args()
    if not all(path.is_file() for path in VENDOR.values()):
        parser.exit(1, f"Run `npm install` in {HERE} first.\n")
    uvicorn.run(CornerShop(options.fixed).app(), host="127.0.0.1", port=options.port, log_level="warning")


if __name__ == "__main__":
    main()
