"""What no test should touch by accident, by its words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jostle.exploring.danger import (
    LONGEST_COMMAND,
    agrees,
    danger_of_address,
    danger_of_label,
    danger_of_question,
    plain,
)

DANGEROUS = {
    "logging out": [
        "Log out", "LOG OFF", "Sign out", "logout", "signOut", "Abmelden", "Se déconnecter", "Déconnexion",
        "Cerrar sesión",
        "Terminar sessão", "Disconnettiti", "Uitloggen",
    ],
    "shutting down": [
        "Shut down", "Shutdown", "Shut Down…", "Power off", "Turn off computer", "Stop server", "⏻ Shut down now",
        "Herunterfahren", "Server stoppen", "Éteindre l’ordinateur", "Arrêter le serveur", "Apagar el servidor",
        "Desligar o computador", "Spegni il server", "Server afsluiten", "Shut\u00addown",
    ],
    "restarting": [
        "Reboot", "Reboot now", "Restart server", "Restart the device", "Update and restart", "Server neu starten",
        "Redémarrer le serveur", "Reiniciar el sistema", "Reiniciar o servidor", "Riavvia il server",
        "Computer opnieuw opstarten", "Restart", "Restart…", "Neu starten", "Redémarrer", "Reiniciar", "Riavvia",
    ],
    "deleting an account": [
        "Delete account", "Delete my account", "Yes, delete my account", "Close account", "Deactivate your account",
        "Konto löschen", "Mein Konto endgültig löschen", "Benutzerkonto löschen", "Supprimer le compte",
        "Supprimer mon compte",
        "Eliminar cuenta", "Borrar mi cuenta", "Excluir conta", "Eliminar a minha conta", "Elimina l'account",
        "Account verwijderen", "Verwijder mijn account",
    ],
    "deleting everything": [
        "Delete all", "Delete everything", "Erase all data", "Wipe everything", "Delete all users", "Remove all files",
        "Drop database", "Delete this workspace", "Format disk", "Alles löschen", "Alle Daten löschen", "Alle löschen",
        "Tout supprimer", "Supprimer toutes les données", "Eliminar todo", "Borrar todos los datos", "Apagar tudo",
        "Elimina tutto", "Alles verwijderen", "Alle bestanden verwijderen",
    ],
    "resetting everything": [
        "Factory reset", "Restore factory settings", "Reset to factory defaults", "Reset all", "Reset everything",
        "Reset the database", "Auf Werkseinstellungen zurücksetzen", "Alles zurücksetzen", "Tout réinitialiser",
        "Rétablir les paramètres d'usine", "Restablecer valores de fábrica", "Restaurar configurações de fábrica",
        "Ripristina impostazioni di fabbrica", "Fabrieksinstellingen herstellen",
    ],
    "unsubscribing": [
        "Unsubscribe", "Unsubscribe from all", "Cancel subscription", "Cancel my membership", "Newsletter abbestellen",
        "Abo kündigen", "Se désabonner", "Résilier mon abonnement", "Darse de baja", "Cancelar suscripción",
        "Cancelar assinatura", "Annulla iscrizione", "Uitschrijven", "Abonnement opzeggen",
    ],
    "paying": [
        "Pay", "Pay now", "Pay $20.00", "Pay with PayPal", "Place order", "Place order and pay", "Buy now",
        "Checkout and pay",
        "Confirm payment", "Send money", "Complete purchase", "Zahlungspflichtig bestellen", "Jetzt kaufen", "Bezahlen",
        "Payer", "Payer maintenant", "Passer la commande", "Pagar", "Pagar ahora", "Comprar ahora", "Finalizar compra",
        "Comprar agora", "Paga ora", "Acquista ora", "Conferma l'ordine", "Nu betalen", "Bestelling plaatsen",
        "Buy", "Buy for £4.20", "Buy 2 tickets", "Buy credits", "Order now", "Kaufen", "Acheter", "Comprar",
    ],
    "sending mail": [
        "Send invitation email", "Send email", "Send e-mail to customer", "Send invitations", "Invite", "Invite people",
        "Resend invitation", "Send password reset", "Email all", "E-Mail senden", "Einladung verschicken",
        "Benutzer einladen",
        "Envoyer un e-mail", "Envoyer l'invitation", "Inviter", "Enviar correo", "Enviar invitación",
        "Invitar usuarios",
        "Enviar convite", "Convidar", "Invia e-mail", "Invita utenti", "E-mail verzenden", "Gebruiker uitnodigen",
    ],
}  # fmt: skip

HARMLESS = [
    # Names that only sound like it.
    "Reset filters", "Reset zoom", "Restart slideshow", "Pay attention", "Send", "Order by name", "Orders", "Order",
    "Delete", "Delete item", "Delete recipe", "Delete comment", "Remove", "Remove filter", "Remove all filters",
    "Delete all filters",
    "Clear", "Clear completed", "Clear all", "Reset", "Reset all filters", "Reset view", "Restart game",
    "Restart level",
    "Restart quiz", "Buy milk", "Buyers", "Buying guide",
    "Payments", "Payment methods", "Pay slips", "Payroll", "Invitations", "Accept invitation", "Invite code",
    "Send message",
    "Send feedback", "Email", "E-mail", "Mail", "Mailbox", "Subscribe", "Subscriptions", "Account", "Accounts",
    "Account settings",
    "Add account", "Close account menu", "Close", "Cancel", "Cancel order", "Checkout", "Basket", "Log in",
    "Sign up", "Sign off on it",
    "Blog outline", "Login", "Select all", "Mark all as read", "Archive all", "All recipes", "Tall trees only",
    "Turn off sound",
    "Stop", "Stop timer", "Power", "Shut", "Format painter", "Format text", "Factory", "Delete user", "Delete project",
    "How to shut down your computer", "Learn how to delete your account", "About factory reset",
    "Wie man sein Konto löscht",
    # The same in other languages.
    "Filter zurücksetzen", "Alle Filter löschen", "Löschen", "Eintrag löschen", "Senden", "Nachricht senden",
    "Bestellungen", "Spiel neu starten",
    "Supprimer", "Supprimer tous les filtres", "Réinitialiser les filtres", "Envoyer", "Envoyer le message",
    "Commandes", "Redémarrer le diaporama",
    "Eliminar", "Eliminar todos los filtros", "Restablecer filtros", "Enviar", "Enviar mensaje", "Pedidos",
    "Reiniciar juego", "Ordenar por nombre",
    "Apagar", "Redefinir filtros", "Elimina", "Ordina per nome", "Ripristina zoom", "Invia messaggio",
    "Filters resetten", "Alle filters verwijderen",
    "Verwijderen", "Versturen", "Betaalmethoden",
]  # fmt: skip


@pytest.mark.parametrize(("name", "label"), [(name, label) for name, labels in DANGEROUS.items() for label in labels])
def test_what_names_the_harm_is_dangerous(name: str, label: str) -> None:
    danger = danger_of_label(label)
    assert danger is not None
    assert danger.name == name
    assert danger_of_label(label.upper()) is danger


@pytest.mark.parametrize("label", HARMLESS)
def test_what_does_not_is_harmless(label: str) -> None:
    assert danger_of_label(label) is None


@pytest.mark.parametrize(
    "url",
    [
        "http://x/logout", "http://x/users/sign_out", "http://x/logout.php", "http://x/doku.php?do=logout",
        "http://x/?logout", "/shutdown",
        "http://x/api/shutdown?token=1", "http://x/delete-account", "http://x/deleteAccount",
        "http://x/account/delete/", "http://x/#/logout",
        "http://x/admin/factory-reset", "http://x/unsubscribe", "http://x/system/reboot",
        "http://x/index.php?action=unsubscribe",
        "http://x/cart/place-order", "http://x/delete%2Dall",
    ],
)  # fmt: skip
def test_addresses_that_do_harm(url: str) -> None:
    assert danger_of_address(url) is not None


@pytest.mark.parametrize(
    "url",
    [
        "", "http://x/", "http://shutdown.example/", "http://x/login?next=/logout",
        "http://x/search?q=delete+account", "http://x/orders?order_by=name",
        "http://x/blog/how-to-shut-down-a-server", "http://x/account", "http://x/users/7/delete",
        "http://x/reset?filters=1", "http://x/paying-attention",
        "http://x/checkout", "http://x/logout-history", "http://[", "javascript:void 0", "#", "http://x/payments",
    ],
)  # fmt: skip
def test_addresses_that_do_not(url: str) -> None:
    assert danger_of_address(url) is None


def test_questions() -> None:
    for text in (
        "Are you sure you want to delete all items? This cannot be undone.",
        "Do you really want to shut down the server?",
        "Your account will be permanently deleted.",
        "All photos will be deleted. Continue?",
        "Soll das Konto wirklich gelöscht werden?",
        "Voulez-vous vraiment supprimer votre compte ?",
        "This is long. " * 20 + "Your account will go. Delete account?",
    ):
        assert danger_of_question(text) is not None, text
    for text in (
        "Delete this item?",
        "All changes will be lost. Leave?",
        "The item will be deleted.",
        "All filters will be deleted.",
        "Leave without saving?",
        "Send the message?",
        "Reset filters?",
        "",
    ):
        assert danger_of_question(text) is None, text


def test_who_says_yes() -> None:
    assert all(
        map(agrees, ["OK", "Yes", "Yes, I am sure", "Confirm", "Delete", "Ja", "Oui", "Sí", "Weiter", "Procedi"])
    )
    assert not any(map(agrees, ["Cancel", "No", "Close", "Nein", "Abbrechen", "Annuler", "Back", ""]))


@given(st.text())
def test_any_text_can_be_judged(text: str) -> None:
    danger_of_label(text)
    danger_of_question(text)
    danger_of_address(text)
    assert plain(plain(text)) == plain(text)


@given(st.lists(st.sampled_from(["milk", "and", "bread", "eggs"]), min_size=LONGEST_COMMAND, max_size=40))
def test_a_paragraph_is_no_command(words: list[str]) -> None:
    assert danger_of_label(" ".join(["Delete account", *words])) is None


@pytest.mark.parametrize(
    "text", ["a " * 50_000, "all " * 20_000, "send " * 20_000, "delete it " * 20_000, "/" * 50_000]
)
def test_hostile_texts_take_no_time(text: str) -> None:
    danger_of_label(text)
    danger_of_question(text)
    danger_of_address(text)
