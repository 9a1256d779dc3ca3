"""What the shop holds: products, orders, lines to pick and messages, in memory."""

from dataclasses import dataclass, field

CATEGORIES = ("Drinks", "Bakery", "Household")


@dataclass
class Product:
    id: int
    name: str
    category: str
    price: float
    on_hand: int
    shelf_label: str
    reorder_at: int
    supplier: str

    @property
    def low(self) -> bool:
        return self.on_hand <= self.reorder_at


@dataclass
class Order:
    number: int
    product: Product
    quantity: int
    note: str


@dataclass
class PickLine:
    id: int
    aisle: str
    name: str
    quantity: int
    price: float
    picked: bool = False


@dataclass
class Message:
    id: int
    sender: str
    subject: str
    body: str
    archived: bool = False
    reply: str = ""


def first_products() -> list[Product]:
    return [
        Product(1, "Breakfast tea", "Drinks", 3.40, 24, "A1", 10, "Harbour Teas"),
        Product(2, "Green tea", "Drinks", 3.80, 9, "A1", 10, "Harbour Teas"),
        Product(3, "Ground coffee", "Drinks", 6.50, 31, "A2", 12, "North Roasters"),
        Product(4, "Apple juice", "Drinks", 2.20, 18, "A3", 8, "Orchard & Sons"),
        Product(5, "Tea loaf", "Bakery", 4.10, 6, "B1", 4, "Mill Lane Bakery"),
        Product(6, "Oat biscuits", "Bakery", 1.90, 40, "B2", 15, "Mill Lane Bakery"),
        Product(7, "Sourdough bread", "Bakery", 3.60, 11, "B3", 6, "Mill Lane Bakery"),
        Product(8, "Crumpets", "Bakery", 1.50, 14, "B3", 10, "Mill Lane Bakery"),
        Product(9, "Tea towels", "Household", 5.00, 22, "C1", 5, "Linen House"),
        Product(10, "Dish soap", "Household", 2.80, 7, "C2", 8, "Bright Supplies"),
        Product(11, "Candles", "Household", 4.40, 16, "C3", 6, "Bright Supplies"),
        Product(12, "Matches", "Household", 0.90, 60, "C3", 20, "Bright Supplies"),
    ]


def first_messages() -> list[Message]:
    return [
        Message(1, "Harbour Teas", "Delivery slot on Tuesday", "We can come at eight or at eleven. Which suits you?"),
        Message(2, "Mill Lane Bakery", "New flour", "From May on the sourdough is made with stoneground flour."),
        Message(3, "Mrs Okafor", "Birthday candles", "Could you keep two boxes of candles for me until Friday?"),
        Message(4, "Bright Supplies", "Invoice 2207", "Your invoice for April is ready. Thank you for your order."),
        Message(5, "North Roasters", "Price list", "Our new price list is valid from the first of the month."),
    ]


def first_pick_lines() -> list[PickLine]:
    lines: list[PickLine] = []
    for product in first_products():
        for customer, quantity in (("Café Linden", 2), ("School kitchen", 4), ("Town hall", 1)):
            name = f"{product.name} for {customer}"
            lines.append(PickLine(len(lines) + 1, product.shelf_label[0], name, quantity, product.price))
    return sorted(lines, key=lambda line: line.aisle)


@dataclass
class Shop:
    products: list[Product] = field(default_factory=first_products)
    orders: list[Order] = field(default_factory=list)
    pick_lines: list[PickLine] = field(default_factory=first_pick_lines)
    messages: list[Message] = field(default_factory=first_messages)
    forms: int = 0
    placed: dict[str, Order] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.place(self.products[1], 24, "As last time")
        self.place(self.products[9], 12, "")

    def product(self, product_id: int) -> Product:
        return {product.id: product for product in self.products}[product_id]

    def message(self, message_id: int) -> Message:
        return {message.id: message for message in self.messages}[message_id]

    def pick_line(self, line_id: int) -> PickLine:
        return {line.id: line for line in self.pick_lines}[line_id]

    def find(self, words: str, category: str) -> list[Product]:
        wanted = words.strip().lower()
        return [
            product
            for product in self.products
            if wanted in product.name.lower() and category in ("", product.category)
        ]

    def new_form_key(self) -> str:
        self.forms += 1
        return f"form-{self.forms}"

    def place(self, product: Product, quantity: int, note: str, key: str = "") -> Order:
        """Places an order; a form that was sent before gives the order that it gave then."""
        if key in self.placed:
            return self.placed[key]
        order = Order(1001 + len(self.orders), product, quantity, note)
        self.orders.append(order)
        if key:
            self.placed[key] = order
        return order

    def picked(self) -> int:
        return sum(line.picked for line in self.pick_lines)
