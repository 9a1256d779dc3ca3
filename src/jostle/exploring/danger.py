"""Controls that no test should touch by accident, recognised by what they say.

A label is dangerous when it names the harm: `Delete account`, `Shut down`, `Pay now`. So are `Restart` and `Buy` alone:
they are rarely about a game or a list, and what they do cannot be undone. Words that mostly mean something harmless
(`Delete` for one entry, `Reset` for a form or a filter, `Order` for a column, `Send` for a message) are not dangerous
alone. Everything here is a pure function of texts.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from functools import lru_cache
from urllib.parse import parse_qsl, unquote

from jostle.addresses import split_url

LONGEST_COMMAND = 10
"""Words. What says more than that is a headline or a paragraph, not the name of a control."""
LONGEST_QUESTION = 2000
"""Characters of a dialog that are read."""


class Danger:
    """One kind of harm, and the texts by which it is recognised, in several languages."""

    def __init__(self, name: str, *patterns: str, address: str = "") -> None:
        """`patterns` are searched in plain words (see `plain`); `address` has to match a whole part of an address."""
        self.name = name
        self._words = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
        self._address = re.compile(address) if address else None

    def __repr__(self) -> str:
        return f"Danger({self.name!r})"

    def is_in(self, text: str) -> bool:
        """Whether a label, or a sentence of a dialog, says it. The text has to be plain."""
        return self._words.search(text) is not None

    def is_address_part(self, part: str) -> bool:
        return self._address is not None and self._address.fullmatch(part) is not None


# Written as `plain` writes them: lower case, no accents, no punctuation, one space.
# en, de, fr, es, pt, it, nl
_FEW = r"(?: \w+){0,2}"
_SOME = r"(?: \w+){0,4}"
_MACHINE = (
    r"(?:server|servers|service|system|computer|device|machine|router|daemon|host|node|instance|container|vm|"
    r"application|app|backend|database|cluster|nas|printer|hub)"
)
_MACHINE_DE = r"(?:server|system|gerat|rechner|computer|dienst|anwendung|router|datenbank)"
_MACHINE_FR = r"(?:serveur|systeme|service|ordinateur|appareil|machine|application|routeur)"
_MACHINE_ES = r"(?:servidor|sistema|equipo|ordenador|dispositivo|servicio|aplicacion|router)"
_MACHINE_PT = r"(?:servidor|sistema|computador|dispositivo|servico|aplicacao|aparelho|roteador)"
_MACHINE_IT = r"(?:server|sistema|computer|dispositivo|servizio|applicazione|router)"
_MACHINE_NL = r"(?:server|systeem|computer|apparaat|dienst|toepassing|router)"
_THE_EN = r"(?: the| this| your| my)?"
_THE_FR = r"(?: le| la| l| cet| cette| votre)?"
_THE_ES = r"(?: el| la| este| esta)?"
_THE_PT = r"(?: o| a| este| esta)?"
_THE_IT = r"(?: il| lo| la| l| questo)?"
_THE_NL = r"(?: de| het| deze| dit)?"
_OF_A_VIEW = (
    r"(?! (?:(?:the|my|your|les|los|las|os|as|i|gli|le) )?"
    r"\w*(?:filter|filtr|zoom|sort|column|selection|highlight|format|tag|field|slider|view|tab))"
)
"""What is deleted or reset is only how something is shown."""

LOG_OUT = Danger(
    "logging out",
    r"\b(?:log ?(?:out|off)|sign ?out)\b",
    r"\b(?:abmelden|ausloggen)\b",
    r"\b(?:deconnexion|deconnecter)\b",
    r"\bcerrar sesion\b",
    r"\b(?:terminar|encerrar) (?:a )?sessao\b",
    r"\b(?:disconnettiti|esci dall account)\b",
    r"\b(?:uitloggen|afmelden)\b",
    address=r"log ?(?:out|off)|sign ?out|abmelden|deconnexion|uitloggen",
)
SHUT_DOWN = Danger(
    "shutting down",
    r"\bshut ?down\b",
    r"\bpower ?off\b",
    rf"\b(?:turn|switch) off{_THE_EN} {_MACHINE}\b",
    rf"\b(?:stop|halt|quit|kill|terminate|exit){_THE_EN} {_MACHINE}\b",
    r"\b(?:herunterfahren|runterfahren)\b",
    rf"\b{_MACHINE_DE} (?:ausschalten|abschalten|stoppen|beenden|anhalten)\b",
    rf"\b(?:eteindre|arreter){_THE_FR} {_MACHINE_FR}\b",
    r"\bmettre hors tension\b",
    rf"\b(?:apagar|detener|parar){_THE_ES} {_MACHINE_ES}\b",
    rf"\b(?:desligar|encerrar|parar){_THE_PT} {_MACHINE_PT}\b",
    rf"\b(?:spegni|spegnere|arresta|arrestare|ferma|fermare){_THE_IT} {_MACHINE_IT}\b",
    rf"\b{_MACHINE_NL} (?:afsluiten|uitschakelen|uitzetten|stoppen)\b",
    address=r"(?:do |api )?(?:shut ?down|power ?off|halt)(?: now| server| system)?|herunterfahren",
)
RESTART = Danger(
    "restarting",
    r"\breboot(?:en|er)?\b",
    rf"\brestart{_THE_EN} {_MACHINE}\b",
    r"\brestart (?:now|and (?:update|install)|to update)\b",
    r"\b(?:update|install) and restart\b",
    r"^(?:restart|neu ?starten|redemarrer|reiniciar|riavvia|herstarten|opnieuw opstarten)$",
    rf"\b{_MACHINE_DE} neu ?starten\b",
    rf"\bredemarrer{_THE_FR} {_MACHINE_FR}\b",
    rf"\breiniciar{_THE_ES} {_MACHINE_ES}\b",
    rf"\breiniciar{_THE_PT} {_MACHINE_PT}\b",
    rf"\briavvi(?:a|are){_THE_IT} {_MACHINE_IT}\b",
    rf"\b{_MACHINE_NL} (?:herstarten|opnieuw opstarten)\b|\bherstart{_THE_NL} {_MACHINE_NL}\b",
    address=r"(?:do |api )?(?:reboot|restart server|restart system|server restart|system restart)(?: now)?",
)
DELETE_ACCOUNT = Danger(
    "deleting an account",
    r"\b(?:delete|remove|close|deactivate|disable|terminate|cancel|erase|destroy)"
    rf"{_FEW} accounts?\b(?! (?:menu|panel|settings|switcher|creation|setup|list|details|dialog|popup|form|tab))",
    rf"\baccount{_SOME} (?:deleted|closed|deactivated|erased)\b",
    rf"\bkonto{_SOME} geloscht\b|\bcompte{_SOME} supprime\b|\bcuenta{_SOME} (?:eliminada|borrada)\b",
    rf"\bconta{_SOME} (?:eliminada|excluida|apagada)\b|\baccount{_SOME} (?:eliminato|verwijderd)\b",
    r"\bdelete (?:me|my profile|my data|your profile|your data)\b",
    rf"\b(?:benutzer|nutzer|kunden)?(?:konto|account|profil){_FEW} (?:loschen|schliessen|kundigen|auflosen)\b",
    rf"\b(?:losche|schliesse){_FEW} (?:konto|account)\b",
    rf"\b(?:supprimer|fermer|cloturer|resilier|desactiver){_FEW} compte\b",
    rf"\b(?:eliminar|borrar|cerrar|cancelar|suprimir|desactivar){_FEW} cuenta\b",
    rf"\b(?:eliminar|apagar|excluir|encerrar|cancelar|remover|desativar|deletar){_FEW} conta\b",
    r"\b(?:elimina|eliminare|cancella|cancellare|chiudi|chiudere|disattiva|disattivare)(?: \w+){0,3} account\b",
    rf"\baccount{_FEW} (?:verwijderen|sluiten|opheffen|opzeggen)\b|\b(?:verwijder|sluit){_FEW} account\b",
    address=r"(?:delete|close|deactivate|cancel|remove|terminate) (?:my |user )?account"
    r"|account (?:delete|close|deactivate)|konto loschen|supprimer compte|eliminar cuenta",
)
DELETE_ALL = Danger(
    "deleting everything",
    rf"\b(?:delete|erase|destroy|wipe|purge)(?: it| them)? (?:all|everything)\b{_OF_A_VIEW}",
    rf"\b(?:all|everything)\b{_OF_A_VIEW}{_SOME} be (?:\w+ )?(?:deleted|erased|destroyed|wiped)\b",
    rf"\balle[sn]?\b{_OF_A_VIEW}{_SOME} geloscht\b",
    r"\b(?:remove|clear|discard) everything\b",
    rf"\b(?:remove|clear|discard) all{_FEW}"
    r" (?:data|database|files|users|accounts|records|documents|content|contents)\b",
    rf"\b(?:delete|drop|erase|wipe|destroy|truncate|empty|clear|purge){_THE_EN}{_FEW}"
    r" (?:database|disk|drive|partition)\b",
    rf"\bdelete{_THE_EN} (?:organi[sz]ation|workspace|tenant|server|instance|installation|website|cluster)\b",
    rf"\bformat{_THE_EN} (?:disk|drive|device|partition|storage|sd card)\b",
    rf"\balle[sn]?\b{_OF_A_VIEW}(?: \w+){{0,3}} (?:loschen|vernichten)\b|\blosche alles?\b{_OF_A_VIEW}",
    r"\balle daten entfernen\b|\bdatenbank (?:loschen|leeren)\b",
    rf"\b(?:supprimer|effacer|detruire) (?:tout|tous|toutes)\b{_OF_A_VIEW}",
    r"\btout(?:es)? (?:supprimer|effacer|detruire)\b",
    rf"\b(?:eliminar|borrar|suprimir)(?:lo)? (?:todo|todos|todas)\b{_OF_A_VIEW}",
    rf"\b(?:eliminar|apagar|excluir|deletar|remover) (?:tudo|todos|todas)\b{_OF_A_VIEW}",
    rf"\b(?:elimina|eliminare|cancella|cancellare) (?:tutto|tutti|tutte)\b{_OF_A_VIEW}",
    rf"\balles?\b{_OF_A_VIEW}(?: \w+){{0,3}} (?:verwijderen|wissen)\b|\bverwijder alles?\b{_OF_A_VIEW}",
    address=r"(?:delete|erase|wipe|purge|destroy|remove) (?:all|everything)|(?:drop|wipe|delete) (?:database|db)",
)
RESET = Danger(
    "resetting everything",
    r"\bfactory ?(?:reset|settings|defaults?)\b",
    rf"\breset(?: to)? (?:all|everything)\b{_OF_A_VIEW}",
    rf"\breset{_THE_EN} (?:{_MACHINE}|installation|account|site|website|all data|my data|your data)\b",
    r"\bwerks ?(?:einstellung|zustand|reset)\w*",
    rf"\b(?:alles|alle daten|installation|konto|{_MACHINE_DE}) zurucksetzen\b",
    r"\b(?:parametres|reinitialisation|valeurs|configuration) d usine\b",
    r"\b(?:tout reinitialiser|reinitialiser (?:tout|les donnees|toutes les donnees|la base|le compte))\b",
    rf"\breinitialiser{_THE_FR} {_MACHINE_FR}\b",
    r"\bde fabrica\b",
    rf"\b(?:restablecer|resetear|restaurar)(?: todo\b|{_THE_ES} {_MACHINE_ES}\b)",
    rf"\b(?:redefinir|repor|resetar|restaurar)(?: tudo\b|{_THE_PT} {_MACHINE_PT}\b)",
    r"\bdi fabbrica\b",
    rf"\b(?:reimposta|ripristina|resetta)(?:re)?(?: tutto\b|{_THE_IT} {_MACHINE_IT}\b)",
    r"\bfabrieks ?instelling\w*",
    rf"\b(?:alles|alle gegevens|{_MACHINE_NL}) (?:resetten|terugzetten)\b",
    address=r"factory ?reset|reset (?:all|everything|database|db|system|factory|to factory)",
)
UNSUBSCRIBE = Danger(
    "unsubscribing",
    r"\bunsubscribe\b",
    rf"\b(?:cancel|end|stop|terminate){_FEW} (?:subscription|membership)\b",
    r"\babbestellen\b",
    rf"\b(?:abo|abonnement|mitgliedschaft|vertrag){_FEW} (?:kundigen|beenden)\b",
    r"\b(?:desabonner|desabonnement|desinscrire|desinscription)\b",
    rf"\bresilier{_FEW} (?:abonnement|contrat|adhesion)\b",
    r"\bdar(?:se|me)? de baja\b|\bdesuscribir(?:se|me)?\b",
    rf"\b(?:cancelar|anular){_FEW} (?:suscripcion|assinatura|subscricao|inscricao)\b",
    r"\bdesinscrever\b",
    rf"\b(?:annulla|annullare|disdici|disdire|cancella){_FEW} (?:iscrizione|abbonamento)\b|\bdisiscriv\w+",
    r"\buitschrijven\b",
    rf"\b(?:abonnement|lidmaatschap|nieuwsbrief){_FEW} (?:opzeggen|beeindigen|afmelden)\b",
    address=r"unsubscribe(?: me| all)?|cancel (?:subscription|membership)|subscription cancel"
    r"|abbestellen|desinscription",
)
PAY = Danger(
    "paying",
    r"^pay$|\bpay (?:now|with|by|for|securely|and|via|using|in full|bill|invoices?|order|here|\d)",
    r"\bpay (?:the|my|your) (?:bill|order)\b",
    r"\b(?:and|to) pay\b",
    r"\b(?:make|submit|confirm|send|complete|authori[sz]e|approve|proceed to|continue to)"
    r"(?: the| my| your| a)? payments?\b",
    r"\b(?:send|transfer|wire) (?:money|funds)\b",
    r"\bbuy (?:it )?now\b|\bpurchase now\b|^purchase$",
    r"\b(?:complete|confirm|finish)(?: the| my| your)? purchase\b",
    r"^buy(?: (?:it|this|these|for|more|\d+|tickets?|credits?|tokens?|coins?|shares?|licen[cs]es?|premium|pro)\b.*)?$",
    r"^(?:kaufen|acheter|comprar|acquista|kopen)$",
    r"\b(?:place|submit|confirm|complete|finish)(?: the| my| your| an| this)? order\b",
    r"^order now\b",
    r"\b(?:jetzt|sofort|kostenpflichtig|zahlungspflichtig|verbindlich) (?:kaufen|bestellen|bezahlen|zahlen|buchen)\b",
    r"^(?:be)?zahlen$|\bund (?:be)?zahlen\b|\bzahlung (?:bestatigen|ausfuhren|senden|abschliessen)\b",
    r"\bbestellung (?:abschicken|absenden|aufgeben|abschliessen|bestatigen)\b|\bgeld (?:senden|uberweisen)\b",
    r"^payer(?: (?:maintenant|et|avec|par|la|le|ma|\d).*)?$|\bet payer\b|\bproceder au paiement\b",
    r"\b(?:passer|confirmer|valider|finaliser)(?: la| ma| votre| une)? commande\b|\b(?:acheter|commander) maintenant\b",
    r"\b(?:confirmer|effectuer|valider)(?: le| mon| votre)? (?:paiement|achat)\b|\bcommande avec obligation\b",
    r"^pagar(?: (?:ahora|agora|con|com|y|e|ya|ja|\d).*)?$|\b[ye] pagar\b|\bcomprar (?:ahora|agora|ya|ja)\b",
    r"\b(?:realizar|confirmar|finalizar|tramitar|concluir|efetuar)(?: el| la| o| a| mi| su| meu| minha)?"
    r" (?:pedido|compra|pago|encomenda|pagamento)\b",
    r"^paga(?: (?:ora|adesso|con|e|\d).*)?$|^pagare\b|\be paga\b|\b(?:acquista|compra|ordina) (?:ora|adesso|subito)\b",
    r"\b(?:conferma|completa|effettua|invia|procedi con|procedi al)(?: l| il| un)? (?:ordine|acquisto|pagamento)\b",
    r"^betalen$|^betaal(?: (?:nu|met|\d).*)?$|\ben betalen\b|\b(?:nu|direct) (?:betalen|kopen|bestellen|afrekenen)\b",
    r"\bkoop nu\b|\bbestelling (?:plaatsen|bevestigen|afronden)\b|\bmet betalingsverplichting\b",
    address=r"pay(?: now)?|place order|buy now|submit payment|confirm payment",
)
MAIL = Danger(
    "sending mail",
    rf"\b(?:re ?)?send{_SOME} (?:e ?mails?|mails?|invitations?|invites?|newsletters?|mailing|campaign|sms)\b",
    rf"\b(?:re ?)?send{_FEW} (?:reminders?|password reset|reset link|verification|activation)\b",
    r"^invite\b(?! (?:code|link|only|list))",
    r"^e ?mail (?:all|everyone|users|customers|subscribers|members|this|them|it)\b",
    rf"\b(?:e ?mails?|mails?|rundmail|einladung(?:en)?|newsletter|erinnerung(?:en)?){_FEW}"
    r" (?:senden|versenden|abschicken|absenden|verschicken|schicken)\b",
    rf"\b(?:sende|versende|verschicke){_FEW} (?:e ?mails?|einladung(?:en)?)\b|^(?:\w+ ){{0,2}}einladen$",
    rf"\benvoyer{_SOME} (?:e ?mails?|mails?|courriels?|invitations?|newsletter|infolettre)\b|^inviter\b",
    rf"\benviar{_SOME} (?:correos?|e ?mails?|invitacion(?:es)?|boletin|convites?|newsletter|boletim)\b",
    r"^invitar\b|^convidar\b",
    rf"\b(?:invia|inviare|spedisci){_SOME} (?:e ?mails?|invito|inviti|newsletter)\b|^invita(?:re)?\b",
    rf"\b(?:e ?mails?|mail|uitnodiging(?:en)?|nieuwsbrief){_FEW} (?:versturen|verzenden|sturen)\b",
    rf"\b(?:verstuur|stuur|verzend){_FEW} (?:e ?mails?|mail|uitnodiging(?:en)?|nieuwsbrief)\b",
    r"^(?:\w+ ){0,2}uitnodigen$",
    address=r"send (?:e ?)?mails?|send (?:invite|invitation|newsletter)s?|invite (?:user|member)s?",
)

DANGERS = (LOG_OUT, SHUT_DOWN, RESTART, DELETE_ACCOUNT, DELETE_ALL, RESET, UNSUBSCRIBE, PAY, MAIL)

_ASKS_OR_TELLS = re.compile(
    r"(?:how|why|what|when|where|about|learn|help|read|wie|warum|uber|comment|pourquoi|como|por que|come|perche"
    r"|hoe|waarom)\b"
)
"""How the name of a help page begins."""
_COMMANDS = re.compile(r"(?:do|action|act|cmd|command|op|operation|task|event|method|func|function)", re.IGNORECASE)
"""Names of query parameters that say what is to be done; what others hold is data."""
_WORD_ENDS_IN_CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])")
_AGREEING = re.compile(
    r"(?:ok|okay|yes|y|sure|confirm|continue|proceed|accept|agree|go|go ahead|do it|submit|apply|delete|remove|send"
    r"|reset|ja|bestatigen|fortfahren|weiter|loschen|oui|confirmer|continuer|valider|supprimer|si|confirmar|continuar|aceptar"
    r"|eliminar|borrar|sim|aceitar|apagar|excluir|conferma|confermare|continua|procedi|elimina|accetta|bevestigen"
    r"|doorgaan|verwijderen|akkoord)\b.*"
)
"""How a button says yes."""


def danger_of_label(text: str) -> Danger | None:
    """The harm that a control threatens with by its name or its tooltip."""
    words = plain(text)
    if not words or words.count(" ") >= LONGEST_COMMAND or _ASKS_OR_TELLS.match(words):
        return None
    return _first(words)


def danger_of_question(text: str) -> Danger | None:
    """The harm that a dialog asks the user to agree to."""
    return _first(plain(text[:LONGEST_QUESTION]))


def danger_of_address(url: str) -> Danger | None:
    """The harm that a request to an address does, by the parts of its path and by what it says is to be done."""
    return _of_address(url[:LONGEST_QUESTION])


def agrees(label: str) -> bool:
    """Whether a button with this name says yes to what its dialog asks."""
    return _AGREEING.fullmatch(plain(label)) is not None


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """A text as the rules have it: lower case, without accents, invisible characters and punctuation."""
    parts = unicodedata.normalize("NFKD", _WORD_ENDS_IN_CAMEL_CASE.sub(" ", text)).casefold()
    kept = (each for each in parts if unicodedata.category(each) not in ("Mn", "Cf"))
    return " ".join("".join(each if each.isalnum() else " " for each in kept).split())


def _first(words: str) -> Danger | None:
    return next((danger for danger in DANGERS if danger.is_in(words)), None)


@lru_cache(maxsize=4096)
def _of_address(url: str) -> Danger | None:
    parts = split_url(url)
    path = [unquote(part) for part in f"{parts.path}/{parts.fragment}".split("/")]
    said = [re.sub(r"\.\w{1,5}$", "", part) for part in path]
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if _COMMANDS.fullmatch(name):
            said.append(value)
        elif value in ("", "1", "true"):
            said.append(name)
    words = [plain(part) for part in said]
    pairs = [f"{first} {second}" for first, second in itertools.pairwise(words)]  # /account/delete
    return next((danger for danger in DANGERS if any(map(danger.is_address_part, (*words, *pairs)))), None)
