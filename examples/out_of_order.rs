// An out-of-order window over a BTreeMap, with range queries, in Rust.  Build: rustc -O out_of_order.rs; with --cfg bug
// an insert at a time that is present combines the new value with the old one, not the old with the new.
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};

const PRIME: u128 = (1 << 61) - 1;

trait Monoid {
    type A: Clone;
    fn identity() -> Self::A;
    fn combine(a: &Self::A, b: &Self::A) -> Self::A;
    fn read(text: &str) -> Self::A;
    fn write(a: &Self::A) -> String;
}

struct Affine; // x -> slope * x + shift, the older first
impl Monoid for Affine {
    type A = (u128, u128);
    fn identity() -> Self::A { (1, 0) }
    fn combine(a: &Self::A, b: &Self::A) -> Self::A { (a.0 * b.0 % PRIME, (b.0 * a.1 + b.1) % PRIME) }
    fn read(text: &str) -> Self::A {
        let (slope, shift) = text.split_once(' ').expect("slope shift");
        (slope.parse().unwrap(), shift.parse().unwrap())
    }
    fn write(a: &Self::A) -> String { format!("{} {}", a.0, a.1) }
}

struct Concatenation;
impl Monoid for Concatenation {
    type A = String;
    fn identity() -> String { String::new() }
    fn combine(a: &String, b: &String) -> String { format!("{a}{b}") }
    fn read(text: &str) -> String { text.to_string() }
    fn write(a: &String) -> String { a.clone() }
}

trait Window {
    fn insert(&mut self, time: i64, value: &str);
    fn evict(&mut self, time: i64);
    fn range(&self, from: i64, to: i64) -> String;
}

struct Tree<M: Monoid>(BTreeMap<i64, M::A>);
impl<M: Monoid> Window for Tree<M> {
    fn insert(&mut self, time: i64, value: &str) {
        let v = M::read(value);
        let v = match self.0.get(&time) {
            Some(old) if cfg!(bug) => M::combine(&v, old),
            Some(old) => M::combine(old, &v),
            None => v,
        };
        self.0.insert(time, v);
    }
    fn evict(&mut self, time: i64) { self.0.remove(&time); }
    fn range(&self, from: i64, to: i64) -> String {
        if from > to { return M::write(&M::identity()); } // BTreeMap::range would panic
        M::write(&self.0.range(from..=to).fold(M::identity(), |a, (_, v)| M::combine(&a, v)))
    }
}

fn main() {
    let mut out = io::BufWriter::new(io::stdout());
    let mut window: Box<dyn Window> = Box::new(Tree::<Affine>(BTreeMap::new()));
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        let time = || first.parse().expect("a time");
        match word {
            "swagproof" => writeln!(out, "swagproof 1 window=out-of-order monoids=affine,concatenation ranges").unwrap(),
            "reset" if rest == "affine" => window = Box::new(Tree::<Affine>(BTreeMap::new())),
            "reset" => window = Box::new(Tree::<Concatenation>(BTreeMap::new())),
            "insert" => window.insert(time(), second),
            "evict" => window.evict(time()),
            "query" => writeln!(out, "{}", window.range(i64::MIN, i64::MAX)).unwrap(),
            "range_query" => writeln!(out, "{}", window.range(time(), second.parse().unwrap())).unwrap(),
            _ => out.flush().unwrap(), // flush
        }
    }
}
