//! Simulates tenants that are spread over several database clusters, called cells: how evenly a map
//! of slots spreads them, and what it costs to add or remove a cell. All arithmetic is on integers,
//! so that every machine prints the same figures. `docs/scaling.md` quotes them.

use std::fmt::Write as _;

const TENANTS: u64 = 10_000_000;
/// The tenant of rank r has `SCALE / (r + HEAD)` licenses. Together they have a billion.
const SCALE: u64 = 82_268_640;
const HEAD: u64 = 50;
const SLOTS: usize = 1 << 16;
/// Tenants with more licenses than this are placed on their own.
const PINNED: u64 = 100_000;
/// The licenses that fit into a cell, and how full in percent a cell gets before another is added.
const CAPACITY: u64 = 50_000_000;
const FULL: u64 = 70;
/// What a license and everything that belongs to it occupies.
const BYTES: u64 = 10_000;
/// How fast a cell is filled by others, in bytes per second.
const SPEED: u64 = 100_000_000;

/// What the map places as a whole: a slot, or a pinned tenant.
#[derive(Clone, Copy, Default)]
struct Unit {
    tenants: u64,
    licenses: u64,
}

/// All tenants, as the map sees them.
struct Population {
    /// The pinned tenants, then the slots.
    units: Vec<Unit>,
    pins: usize,
    /// The licenses of the largest slot if no tenant were pinned.
    largest_unpinned: u64,
}

impl Population {
    fn new() -> Self {
        let (mut pins, mut slots) = (Vec::new(), vec![Unit::default(); SLOTS]);
        let mut unpinned = vec![0; SLOTS];
        for rank in 0..TENANTS {
            let (slot, licenses) = (slot(rank), licenses(rank));
            unpinned[slot] += licenses;
            if licenses > PINNED {
                pins.push(Unit { tenants: 1, licenses });
            } else {
                slots[slot].tenants += 1;
                slots[slot].licenses += licenses;
            }
        }
        let (count, largest_unpinned) = (pins.len(), unpinned.into_iter().max().unwrap_or(0));
        pins.append(&mut slots);
        Self { units: pins, pins: count, largest_unpinned }
    }

    fn slots(&self) -> &[Unit] {
        &self.units[self.pins..]
    }
}

/// The size of a tenant by its rank: few are large, and most are small.
fn licenses(rank: u64) -> u64 {
    SCALE / (rank + HEAD)
}

/// The slot of a tenant: the first 16 bits of a hash, here `SplitMix64`.
fn slot(tenant: u64) -> usize {
    let mixed = tenant.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    let [first, second, ..] = (mixed ^ (mixed >> 31)).to_be_bytes();
    usize::from(u16::from_be_bytes([first, second]))
}

/// The map and how full it makes each cell.
struct Cells<'a> {
    population: &'a Population,
    /// The cell of each unit.
    homes: Vec<usize>,
    /// The licenses in each cell.
    loads: Vec<u64>,
    /// How much of their final size the tenants have reached.
    percent: u64,
}

/// What a change of the map moves.
#[derive(Default)]
struct Moved {
    units: u64,
    licenses: u64,
}

impl<'a> Cells<'a> {
    fn new(population: &'a Population, count: usize, percent: u64) -> Self {
        let homes = (0..population.units.len()).map(|unit| unit % count).collect();
        let mut cells = Self { population, homes, loads: vec![0; count], percent };
        cells.resize(percent);
        cells
    }

    /// Lets all tenants grow to this percentage of their final size.
    fn resize(&mut self, percent: u64) {
        self.percent = percent;
        self.loads.fill(0);
        for unit in 0..self.homes.len() {
            self.loads[self.homes[unit]] += self.size(unit);
        }
    }

    fn size(&self, unit: usize) -> u64 {
        self.population.units[unit].licenses * self.percent / 100
    }

    fn fullest(&self) -> u64 {
        self.loads.iter().copied().max().unwrap_or(0)
    }

    fn mean(&self) -> u64 {
        self.loads.iter().sum::<u64>() / self.loads.len().max(1) as u64
    }

    fn relocate(&mut self, unit: usize, to: usize, moved: &mut Moved) {
        let (from, size) = (self.homes[unit], self.size(unit));
        self.loads[from] -= size;
        self.loads[to] += size;
        self.homes[unit] = to;
        moved.units += 1;
        moved.licenses += size;
    }

    /// Adds a cell and fills it to the mean, from those that are above it. Its share of the pinned
    /// tenants comes first, so that they do not pile up in the oldest cells.
    fn add(&mut self) -> Moved {
        let (new, mut moved) = (self.loads.len(), Moved::default());
        self.loads.push(0);
        let target = self.mean();
        for unit in 0..self.homes.len() {
            let wanted = unit >= self.population.pins || unit % self.loads.len() == new;
            let (from, size) = (self.homes[unit], self.size(unit));
            if wanted && self.loads[from] >= target + size && self.loads[new] + size <= target {
                self.relocate(unit, new, &mut moved);
            }
        }
        moved
    }

    /// The licenses that a new cell would move if a tenant's cell were its hash modulo the number
    /// of cells.
    fn moved_by_modulo(&self) -> u64 {
        let cells = self.loads.len();
        let moves = |unit: &usize| unit % cells != unit % (cells + 1);
        (0..self.homes.len()).filter(moves).map(|unit| self.size(unit)).sum()
    }

    /// Empties the first cell into the others, each unit into the one that is least full.
    fn drain_first(&mut self) -> Moved {
        let mut moved = Moved::default();
        for unit in 0..self.homes.len() {
            let others = self.loads.iter().enumerate().skip(1);
            let to = others.min_by_key(|(_, load)| **load).map_or(0, |(cell, _)| cell);
            if self.homes[unit] == 0 {
                self.relocate(unit, to, &mut moved);
            }
        }
        moved
    }
}

/// Runs the simulation and returns its figures, one on each line.
pub(crate) fn report() -> String {
    let mut out = String::new();
    let population = Population::new();
    describe(&mut out, &population);
    let mut cells = Cells::new(&population, 3, 10);
    grow(&mut out, &mut cells);
    let before = cells.loads.len();
    let moved = cells.drain_first();
    line(&mut out, &format!("removing one of {before} cells moves"), moved.licenses, "licenses");
    out
}

fn describe(out: &mut String, population: &Population) {
    let slots = population.slots();
    let all: u64 = population.units.iter().map(|it| it.licenses).sum();
    let in_slots: u64 = slots.iter().map(|it| it.licenses).sum();
    let most = slots.iter().map(|it| it.tenants).max().unwrap_or(0);
    let largest = slots.iter().map(|it| it.licenses).max().unwrap_or(0);
    let (count, pins) = (SLOTS as u64, population.pins as u64);
    line(out, "tenants", TENANTS, "");
    line(out, "licenses", all, "");
    line(out, "the largest tenant has", licenses(0), "licenses");
    line(out, "the median tenant has", licenses(TENANTS / 2), "licenses");
    line(out, "slots", count, "");
    line(out, "pinned tenants", pins, "");
    line(out, "they have", (all - in_slots) * 100 / all, "percent of all licenses");
    line(out, "the map takes", count * 2 + pins * 18, "bytes");
    line(out, "a map with a row for each tenant would take", TENANTS * 18, "bytes");
    line(out, "a slot has at most", most, "tenants");
    line(out, "a slot has on average", in_slots / count, "licenses");
    line(out, "the largest slot has", largest, "licenses");
    line(out, "without pins it would have", population.largest_unpinned, "licenses");
    line(out, "copying the largest slot takes", largest * BYTES / SPEED, "seconds");
    line(out, "copying the largest tenant takes", licenses(0) * BYTES / SPEED, "seconds");
}

/// Lets the tenants grow tenfold, and adds a cell whenever one is full.
fn grow(out: &mut String, cells: &mut Cells<'_>) {
    let (first, mut all, mut most, mut by_modulo) = (cells.loads.len(), Moved::default(), 0, 0);
    for percent in cells.percent..=100 {
        cells.resize(percent);
        while cells.fullest() * 100 > CAPACITY * FULL {
            by_modulo += cells.moved_by_modulo();
            let moved = cells.add();
            most = most.max(moved.licenses);
            all.units += moved.units;
            all.licenses += moved.licenses;
        }
    }
    let (last, mean) = (cells.loads.len(), cells.mean());
    line(out, "cells for a tenth of the licenses", first as u64, "");
    line(out, "cells for all licenses", last as u64, "");
    line(out, "growing moved", all.units, "slots and pinned tenants");
    line(out, "growing moved", all.licenses, "licenses");
    line(out, "by modulo it would have moved", by_modulo, "licenses");
    line(out, "a new cell got at most", most, "licenses");
    line(out, "copying them takes", most * BYTES / SPEED / 60, "minutes");
    line(out, "cells have on average", mean, "licenses");
    line(out, "the fullest cell has", cells.fullest(), "licenses");
}

/// Writes a figure with its digits in groups of three.
fn line(out: &mut String, before: &str, figure: u64, after: &str) {
    let digits = figure.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}", format!("{before} {grouped} {after}").trim_end());
}
