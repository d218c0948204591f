"""The samples of ``samples_of_code`` go on: scripts, documents and data."""

from __future__ import annotations

RUBY = """\
require "json"
require_relative "./store"

LIMIT = 10

module Acme
  # Keeps tokens.
  # They rotate.
  class Store::Tokens < Base
    MAX = 3
    attr_reader :size, :owner
    validates :size
    define_method(:close) { shut }

    def initialize(size)
      super(size)
      @clock = Clock.new
    end

    def self.open(path) = new(path)

    def empty?
      items.empty?
    end
  end
end
"""
RUBY_SYMBOLS = """
constant LIMIT 4-4
module Acme 6-26
class Acme.Store.Tokens 9-25
constant Acme.Store.Tokens.MAX 10-10
property Acme.Store.Tokens.size 11-11
property Acme.Store.Tokens.owner 11-11
method Acme.Store.Tokens.close 13-13
method Acme.Store.Tokens.initialize 15-18
method Acme.Store.Tokens.open 20-20
method Acme.Store.Tokens.empty? 22-24
"""

PHP = """\
<?php
namespace Acme\\Stores;

use Acme\\Clock;
require_once "store.php";

const LIMIT = 10;

/**
 * Keeps tokens.
 */
#[Entity]
final class TokenStore extends Base implements Store
{
    const MAX = 3;
    private $items = [];

    public function rotate(string $token): Token
    {
        return new Token($this->clock->now(), Sign::make(strtolower($token)));
    }
}

interface Store { public function rotate(string $token): Token; }
trait Counts { function count() { return 1; } }
enum Suit { case Hearts; }

function open_store($path) { return fopen($path); }
"""
PHP_SYMBOLS = """
constant LIMIT 7-7
class TokenStore 12-22
constant TokenStore.MAX 15-15
method TokenStore.rotate 18-21
interface Store 24-24
method Store.rotate 24-24
trait Counts 25-25
method Counts.count 25-25
enum Suit 26-26
function open_store 28-28
"""

BASH = """\
#!/usr/bin/env bash
source ./settings.sh
. "lib/log.sh"
readonly LIMIT=10
export MODE=fast

# Opens the store.
open_store() {
  log "opening" && check_path "$1"
}

function close_store {
  rm -f "$(lock_of "$1")"
}

open_store /tmp
"""
BASH_SYMBOLS = """
constant LIMIT 4-4
constant MODE 5-5
function open_store 8-10
function close_store 12-14
"""

SQL = """\
-- People who may sign in.
CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL
);

CREATE UNIQUE INDEX accounts_by_name ON accounts (name);

CREATE VIEW app.active AS
  SELECT id FROM accounts WHERE id > 3;

CREATE FUNCTION add(a integer, b integer) RETURNS integer AS $$
  SELECT a + b;
$$ LANGUAGE sql;

SELECT lower(name) FROM accounts;
"""
SQL_SYMBOLS = """
table accounts 2-5
index accounts_by_name 7-7
view app.active 9-10
function add 12-14
"""

MARKDOWN = """\
---
title: Tokens
---

Before it all.

# Tokens

How they rotate.

## When `now`

Hourly.

```sh
# not a heading
```

### Never
No.

## Where
Here.

Setext
======

Words.
"""
MARKDOWN_SYMBOLS = """
heading Tokens 7-23
heading Tokens > When `now` 11-20
heading Tokens > When `now` > Never 19-20
heading Tokens > Where 22-23
heading Setext 25-28
"""

HTML = """\
<!doctype html>
<html>
<head>
  <title>Tokens</title>
  <link rel="stylesheet" href="style.css">
  <script src="app.js"></script>
</head>
<body>
  <h1>All tokens</h1>
  <section id="list">
    <h2 id="first">First</h2>
    <p>Words.</p>
  </section>
</body>
</html>
"""
HTML_SYMBOLS = """
heading Tokens 4-4
heading All tokens 9-9
element #list 10-13
heading #list First 11-11
"""

CSS = """\
@import "other.css";
/* All buttons. */
.button, a:hover {
  color: red;
}

@media (max-width: 600px) {
  .menu { display: none; }
}

:root { --accent: #fff; }
@keyframes spin { from { top: 0; } }
"""
CSS_SYMBOLS = """
rule .button, a:hover 3-5
rule @media (max-width: 600px) 7-9
rule @media (max-width: 600px) .menu 8-8
rule :root 11-11
rule @keyframes spin 12-12
"""

JSON = """\
{
  "name": "holdfast",
  "scripts": {
    "test": "pytest"
  },
  "list": [1, 2]
}
"""
JSON_SYMBOLS = """
key name 2-2
key scripts 3-5
key list 6-6
"""

YAML = """\
# How it is built.
name: build
on: [push]
jobs:
  test:
    runs-on: linux
    steps:
      - run: make

"last key": 1
"""
YAML_SYMBOLS = """
key name 2-2
key on 3-3
key jobs 4-8
key last key 10-10
"""

TOML = """\
title = "x"

# The project.
[project]
name = "holdfast"
dependencies = ["apsw"]

[project.scripts]
holdfast = "holdfast:main"

[[contract]]
id = "rooms"
"""
TOML_SYMBOLS = """
key title 1-1
table project 4-6
table project.scripts 8-9
table contract 11-12
"""
