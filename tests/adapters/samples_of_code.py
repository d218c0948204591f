"""A small source in every language that is read, with the symbols a reader would name.

Each symbol stands as ``kind name first-last``, in the order of the file.
"""

from __future__ import annotations

PYTHON = '''\
"""Tokens and their rotation."""

import os.path
import numpy as np, json
from holdfast.domain.code.code import Symbol
from . import clock
from ..ports import store

LIFETIME = 3600
log = make_log(__name__)


class TokenStore(Base):
    """Keeps tokens.

    They expire.
    """

    size = 3

    @property
    @cached
    def first(self) -> str:
        return self.tokens[0]

    async def rotate(
        self, token: str, *, force: bool = False
    ) -> Token:
        """Give a new token for an old one."""
        def check(value):
            return validate(value)

        return check(self.clock.now(token))


# Reads the settings
# from the file.
@cached
def settings(path=os.path.join("a", "b")):
    return json.loads(read(path))
'''
PYTHON_SYMBOLS = """
constant LIFETIME 9-9
constant log 10-10
class TokenStore 13-33
method TokenStore.first 21-24
method TokenStore.rotate 26-33
function TokenStore.rotate.check 30-31
function settings 38-40
"""

JAVASCRIPT = """\
import React, { useState } from "react";
import "./style.css";
const fs = require("fs");

export const LIMIT = 10;

/**
 * Adds two numbers.
 * @param {number} a
 */
export function add(a, b = 2) {
  return sum([a, b]);
}

export default class Store extends Base {
  #open = true;
  static async load(name) {
    return new Store(await fs.promises.readFile(name));
  }
  get size() { return this.items.length; }
  handler = (event) => { this.emit(event); };
}

// Doubles it.
const double = (x) => x * 2;

var legacy = function (a) { return run(a); };

Store.prototype.close = function () { shut(this); };

module.exports.open = (path) => add(path);

function* ids() { yield 1; }

defineGetter(req, 'protocol', function protocol() { return trust(this); });
defineGetter(req, 'fresh', function () {
  return check(this);
});
req.get =
req.header = function header(name) {
  function lower() { return name; }
  return lookup(lower());
};
app.use(function logger(next) { next(); });
exports.etag = makeTag({ weak: true });
exports.Route = class { run() {} };
module.exports = class Router { mount() {} };
Store.prototype.walk = function* () { yield 2; };
Object.defineProperty(this, 'router', { get: function findRouter() {} });
describe('a store', function () { it(t, 'opens its file', function () {}); });
const Panel = memo(function Inner() {});
"""
JAVASCRIPT_SYMBOLS = """
constant fs 3-3
constant LIMIT 5-5
function add 11-13
class Store 15-22
method Store.load 17-19
method Store.size 20-20
method Store.handler 21-21
function double 25-25
function legacy 27-27
function Store.prototype.close 29-29
function module.exports.open 31-31
function ids 33-33
method req.protocol 35-35
method req.fresh 36-38
function req.get 39-43
function req.header 40-43
function req.get.lower 41-41
function logger 44-44
constant exports.etag 45-45
class exports.Route 46-46
method exports.Route.run 46-46
class Router 47-47
method Router.mount 47-47
function Store.prototype.walk 48-48
property this.router 49-49
method this.router.get 49-49
function this.router.findRouter 49-49
constant Panel 51-51
function Panel.Inner 51-51
"""

TYPESCRIPT = """\
import type { Config } from "../config";
import axios = require("axios");
export { helper } from "./helper";

export interface Shape<T> {
  area(scale: number): number;
  readonly name: string;
}

export type Id = string | number;

export enum Colour { Red, Green }

declare function later(work: () => void): void;

namespace Geometry {
  export abstract class Square implements Shape<number> {
    constructor(private side: number) { super(); }
    abstract draw(): void;
    /** The area of it. */
    public area(scale = 1): number { return square<number>(this.side) * scale; }
  }
}

export const make = async <T,>(side: T): Promise<Square> => {
  return new Geometry.Square(side);
};
"""
TYPESCRIPT_SYMBOLS = """
interface Shape 5-8
method Shape.area 6-6
type Id 10-10
enum Colour 12-12
function later 14-14
module Geometry 16-23
class Geometry.Square 17-22
method Geometry.Square.constructor 18-18
method Geometry.Square.draw 19-19
method Geometry.Square.area 21-21
function make 25-27
"""

TSX = """\
import React from "react";

export const Button = ({ label }: Props) => {
  const id = useId();
  return <Icon onClick={() => press(id)}>{label}</Icon>;
};
"""
TSX_SYMBOLS = """
function Button 3-6
"""

GO = """\
package store

import (
	"fmt"
	str "strings"
)

const MaxSize = 10

var (
	ErrGone = errors.New("gone")
	cache   map[string]int
)

// Store keeps things.
type Store struct {
	items []Item
}

type Reader interface {
	Read(p []byte) (int, error)
}

type Names = []string

// Rotate gives a new token.
//
// It never fails.
func (s *Store) Rotate(token string) (Token, error) {
	return fmt.Sprint(str.ToUpper(token)), nil
}

func (l List[T]) Len() int { return len(l.items) }

func New[T any](size int) *Store {
	return &Store{items: build(size)}
}
"""
GO_SYMBOLS = """
constant MaxSize 8-8
constant ErrGone 11-11
constant cache 12-12
struct Store 16-18
interface Reader 20-22
method Reader.Read 21-21
type Names 24-24
method Store.Rotate 29-31
method List.Len 33-33
function New 35-37
"""

RUST = """\
use std::collections::{HashMap, HashSet};
use crate::store;
extern crate serde;
mod parser;

pub const LIMIT: usize = 10;
static NAME: &str = "x";

/// A store of tokens.
///
/// It rotates.
#[derive(Debug, Clone)]
pub struct Store<T> {
    items: Vec<T>,
}

enum Kind { A, B(i32) }

pub trait Rotate {
    fn rotate(&self) -> Token;
    fn twice(&self) -> Token { self.rotate().again() }
}

impl<T: Clone> Rotate for Store<T> {
    #[inline]
    fn rotate(&self) -> Token {
        let made = Token::new(&self.items);
        println!("{}", made);
        store::keep(made)
    }
}

type Shared = Arc<Store<u8>>;

macro_rules! square { ($x:expr) => { $x * $x }; }

mod tests {
    #[test]
    fn it_works() { check::<u8>(1); }
}
"""
RUST_SYMBOLS = """
constant LIMIT 6-6
constant NAME 7-7
struct Store 12-15
enum Kind 17-17
trait Rotate 19-22
method Rotate.rotate 20-20
method Rotate.twice 21-21
impl Store 24-31
method Store.rotate 25-30
type Shared 33-33
macro square 35-35
module tests 37-40
function tests.it_works 38-39
"""

JAVA = """\
package com.acme.store;

import java.util.List;
import static java.lang.Math.max;

/** Keeps tokens. */
@Entity
public class TokenStore<T> extends Base implements Store {
    public static final int LIMIT = 10;
    private List<T> items;

    public TokenStore(int size) { super(size); }

    /**
     * Gives a new token.
     */
    @Override
    public Token rotate(String token) throws GoneException {
        return new Token(this.clock.now(), max(1, 2));
    }

    enum State { OPEN, CLOSED }
}

interface Store { Token rotate(String token); }

record Pair(int left, int right) {}

@interface Marked { int value(); }
"""
JAVA_SYMBOLS = """
class TokenStore 7-23
constant TokenStore.LIMIT 9-9
method TokenStore.TokenStore 12-12
method TokenStore.rotate 17-20
enum TokenStore.State 22-22
interface Store 25-25
method Store.rotate 25-25
record Pair 27-27
interface Marked 29-29
"""

C = """\
#include <stdio.h>
#include "store.h"
#define LIMIT 10
#define SQUARE(x) ((x) * (x))

struct store {
    int size;
};

typedef struct { int x, y; } point;
typedef unsigned long id_t;

enum colour { RED, GREEN };

int close_store(struct store *s);

/* Opens the store. */
static struct store *open_store(const char *path)
{
    return allocate(sizeof(struct store), s->hook(path));
}

int main(void) {
    printf("%d", SQUARE(2));
    return 0;
}

static const struct ops store_ops = { .open = open_store };
const char *names[] = { "a", "b" };
"""
C_SYMBOLS = """
constant LIMIT 3-3
macro SQUARE 4-4
struct store 6-8
type point 10-10
type id_t 11-11
enum colour 13-13
function close_store 15-15
function open_store 18-21
function main 23-26
constant store_ops 28-28
constant names 29-29
"""

CPP = """\
#include <vector>

namespace acme {

// Keeps tokens.
template <typename T>
class Store : public Base {
 public:
  explicit Store(int size) : size_(size) {}
  ~Store();
  Token rotate(const T& token) const;
  T& operator[](int i) { return at(i); }
 private:
  int size_;
};

template <typename T>
Token Store<T>::rotate(const T& token) const {
  auto made = std::make_unique<Token>(clock_.now());
  return helper::sign(*made);
}

enum class Colour { Red };
using Names = std::vector<int>;
constexpr int kLimit = 10;

}  // namespace acme

int main() { return acme::run(); }
"""
CPP_SYMBOLS = """
module acme 3-27
class acme.Store 6-15
method acme.Store.Store 9-9
method acme.Store.~Store 10-10
method acme.Store.rotate 11-11
method acme.Store.operator[] 12-12
method acme.Store.rotate 17-21
enum acme.Colour 23-23
type acme.Names 24-24
constant acme.kLimit 25-25
function main 29-29
"""

CSHARP = """\
using System.Collections.Generic;
using static System.Math;

namespace Acme.Stores;

/// <summary>Keeps tokens.</summary>
[Serializable]
public class TokenStore<T> : Base, IStore
{
    public const int Limit = 10;
    public int Size { get; set; }

    public TokenStore(int size) : base(size) { }

    public async Task<Token> RotateAsync(string token)
    {
        var made = await _clock.NowAsync(token);
        return new Token(Sign(made));
    }
}

public interface IStore { Token Rotate(string token); }
public record Pair(int Left, int Right);
public struct Point { public int X; }
public enum Colour { Red }
public delegate void Handler(object sender);
public class Bell { public event Handler Rung; }
"""
CSHARP_SYMBOLS = """
class TokenStore 7-20
property TokenStore.Size 11-11
method TokenStore.TokenStore 13-13
method TokenStore.RotateAsync 15-19
interface IStore 22-22
method IStore.Rotate 22-22
record Pair 23-23
struct Point 24-24
enum Colour 25-25
type Handler 26-26
class Bell 27-27
property Bell.Rung 27-27
"""
