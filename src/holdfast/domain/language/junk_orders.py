"""Patterns of claims that ask to be believed, or that give orders to their reader."""

from __future__ import annotations

Wording = tuple[float, str] | tuple[float, str, str]
"""A weight, a pattern and, if it may match inside a sentence, words of which one must occur."""

_MEMORY = r"(?:memor(?:y|ies)|entry|entries|note|candidates?|claim|fact|proposal)"

ASKING: tuple[Wording, ...] = (
    (0.8, r"\b(?:your|permanent|long-?term) memory\b|\bnever remove it\b", "memory remove"),
    (0.8, r"\bpromote\b.{0,60}\baccepted\b|\b(?:may|can|must) be trusted\b|\btrusted without\b",
     "promote trusted"),
    (0.9, (
        r"\b(?:approve|accept|promote|pin|confirm) (?:all |this |these |the |every |any"
        rf" )*(?:pending |following |open )*{_MEMORY}\b"
    ), "accept approve confirm pin promote"),
    (0.9, (
        r"\b(?:mark|treat|regard|store|consider|save|keep) (?:this|the following|it"
        rf"|these)(?: {_MEMORY})? (?:as|in memory)\b.{{0,60}}\b(?:approved|accepted"
        r"|trusted|verified|importance|human|true|fact)\b"
    ), "consider keep mark regard save store treat"),
    (0.8, (
        rf"\bthis {_MEMORY} (?:has been|was|is|needs?|supersedes|overrides"
        r"|replaces)\b.{0,60}\b(?:verified|approved|trusted|no review|supersedes|every"
        r" other|dec-\d+|accepted|decisions?)\b|\bneeds no review\b"
    ), "needs this"),
    (0.9, (
        r"^(?!.*(?:\b(?:not|never|no|nobody|cannot|nothing)|n't)\b.*\b(?:skip|bypass|without)\b)"
        r".*\b(?:skip|bypass|without) (?:the )?(?:review|approval)(?: queue)?\b"
        r"|\bholdfast (?:approve|trust|resolve)\b|\bset (?:the )?(?:trust|status"
        r"|origin)\b.{0,40}\b(?:human|accepted)\b"
    ), "bypass holdfast set skip without"),
    (0.8, (
        r"\b(?:don't|do not) forget to (?:remind|tell|ask|mention)\b|^remember to "
        r"(?:approve|tell|ask|remind|mention|say)\b|\bremind (?:the user|me)\b"
    ), "forget remember remind"),
    (0.8, (
        rf"\b(?:always|must) (?:include|show|return|recall) this {_MEMORY}\b|\bsupersedes?"
        r" (?:dec|inv|rul|got|fac|asm)-\d+"
    ), "always must supersede supersedes"),
    (0.7, (
        r"\b(?:owner|maintainers?|user|admin) (?:has|have) already (?:agreed|approved"
        r"|confirmed)"
    ), "admin maintainer maintainers owner user"),
)  # fmt: skip
ORDERING: tuple[Wording, ...] = (
    (0.85, (
        r"^(?:please )?(?:stop|tell|delete|execute|reveal|hide|say|claim|report|erase"
        r"|remove|drop)\b"
        r".{0,80}\b(?:guidelines|hidden prompt|system prompt|the user|other memories"
        r"|all memories"
        r"|without (?:showing|asking|telling)|even if it was not|to anyone)\b"
    )),
    (0.85, (
        r"\b(?:ai|llm|coding) (?:assistants?|agents?|models?) (?:reading|that read|who"
        r" read)\b"
    ),
     "assistant assistants agent agents model models"),
    (0.95, (
        r"\b(?:ignore|disregard|forget|override|bypass) (?:all |any |every |everything )*"
        r"(?:of )?(?:the |your |my |these |those )*(?:previous|prior|above|earlier"
        r"|preceding|safety|old|system|rules above|existing)?\s*(?:instructions?|rules"
        r"|prompts?|directions|settings|orders|guidelines|you were told|above)\b"
    ), "bypass disregard forget ignore override"),
    (0.9, (
        r"\b(?:when|once|if|whenever|the next time|next time|as soon as) (?:the user"
        r"|somebody|someone|anyone|anybody|they|you) (?:says?|types?|asks?|writes?|sees?"
        r"|see|mentions?|reads?|opens?)\b.{0,80}\b(?:delete|run|send|forward|add|push"
        r"|execute|approve|install|reply|answer|upload|say|disable|ignore|do|open|call"
        r"|write|remove|reveal|insert)\b"
    ), "user somebody someone anyone anybody they you"),
    (0.9, (
        r"\b(?:not|don't|never|without) (?:tell|telling|inform|informing|alert"
        r"|alerting|notify|notifying|warn|warning) (?:it |this )?(?:to )?(?:the )?(?:user"
        r"|human|person|anyone|anybody)\b|\b(?:do not|don't|never) mention (?:this|it"
        r"|failures|the failures)\b"
    ), "tell telling inform informing alert alerting notify notifying warn warning mention"),
    (0.9, r"^(?:\W{0,3}(?:system|assistant|developer)\W{0,2}[:\]>])"),
    (0.9, (
        r"\bfrom now on,? (?:you|the assistant|the agent)\b|\byou are now\b"
        r"|\byour new (?:task|role|instructions?|goal)\b|\bnew instructions?\b"
        r"|\bdeveloper mode\b|\bact as an? (?:unrestricted|different|root|admin)"
    ), "now new developer act"),
    (0.9, (
        r"</?\s*(?:holdfast-context|system|instructions?|hook_context|memory)\b"
        r"|\[/?memory "
    ), "< ["),
    (0.9, r"\b(?:curl|wget)\b[^|]{0,120}\|\s*(?:ba|z|da)?sh\b|\brm -rf [/~]", "curl rm wget"),
    (0.9, (
        r"\b(?:send|upload|post|forward|exfiltrate|copy|mail|leak)\b.{0,60}(?:\.env\b"
        r"|~/\.ssh|\bsecrets?\b|\bcredentials?\b|\benvironment variables\b|\bprivate"
        r" keys?\b|id_rsa|@\S*(?:attacker|evil)|\bto \S+@\S+)"
    ), "copy exfiltrate forward leak mail post send upload"),
    (0.9, (
        r"\b(?:note|message|instructions?) (?:to|for) (?:all |any |the )?(?:ai|llm"
        r"|coding)?\s*(?:agents?|assistants?|models?|bots?)\b|\bif you are an? (?:ai|llm"
        r"|agent|assistant)\b|^(?:assistant|agent|claude|copilot|gemini|codex),"
    ), "agent assistant claude codex copilot gemini if instruction instructions message note"),
    (0.85, (
        r"\bpretend (?:that|to be|you)\b|\bsilently (?:add|run|send|push|delete|install"
        r"|change)|\b(?:disable|turn off) (?:the )?(?:secret scanner|safety|review"
        r"|sandbox|guardrails?)"
    ), "disable pretend silently turn"),
    (0.8, r"^important: (?:before (?:any|every)(?:thing| other)|the assistant|ignore)\b"),
    (0.9, r"\bprint (?:all |the |your )*(?:environment variables|system prompt|secrets)\b",
     "print"),
)  # fmt: skip
