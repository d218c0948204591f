"""The person who acts in every trial."""

from __future__ import annotations

from holdfast.domain.memory.callers import Principal, PrincipalKind

A_PERSON = Principal.of(PrincipalKind.PERSON, name="a person")
