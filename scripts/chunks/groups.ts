import type { Part } from './parts.ts'

/** What is loaded at one time: the beginnings that an address or a click needs, and how much its pace matters. */
export interface Opening {
  readonly modules: readonly string[]
  readonly weight: number
}

/** What a file costs beside its bytes, in bytes of source: a request, its headers, styles of its own, and packing that begins anew. */
const FILE = 40_000

/** Which of all files: 1 at the number of each. */
type Flags = Uint8Array

/** A file in the making; `n` is its number. */
interface File {
  readonly n: number
  readonly parts: readonly number[]
  readonly size: number
  /** Itself, and all that it needs. */
  readonly closure: Flags
}

interface Load {
  readonly weight: number
  readonly needs: Flags
}

/** The files as they are now, and what each opening loads of them. */
interface Plan {
  readonly files: File[]
  readonly loads: readonly Load[]
  /** By number: what is sent with it, in bytes of source; 0 of one that is no more. */
  readonly costs: Float64Array
}

/**
 * Puts parts together into files, two at a time, whichever two make all openings together the cheapest: a file less to ask for,
 * against what is sent and not needed. Two that would come to need one another are never put together, and what comes with every page
 * is left alone.
 */
export function groupParts(parts: readonly Part[], openings: readonly Opening[]): readonly (readonly number[])[] {
  const plan = begin(parts, openings)
  for (const [first, ...others] of alike(plan))
    others.reduce((file, other) => putTogether(plan, file, other), first as File)
  const known: Known = { more: [], costs: parts.map(() => new Float64Array(parts.length)) }
  for (;;) {
    const best = cheapest(plan, known)
    if (!best) return plan.files.map((file) => file.parts)
    putTogether(plan, ...best)
  }
}

/** Each part as a file of its own. */
function begin(parts: readonly Part[], openings: readonly Opening[]): Plan {
  const later = parts.flatMap((part, n) => (part.isFirst ? [] : [n]))
  const numbers = new Map(later.map((part, n) => [part, n]))
  const reach = (part: number, found: Flags) => {
    const n = numbers.get(part)
    if (n === undefined || found[n]) return found
    found[n] = 1
    for (const next of parts[part]?.needs ?? []) reach(next, found)
    return found
  }
  const begun = new Map(parts.map((part, n) => [part.begins, n]))
  return {
    files: later.map((part, n) => ({
      n,
      parts: [part],
      size: parts[part]?.size ?? 0,
      closure: reach(part, new Uint8Array(later.length)),
    })),
    loads: openings.map(({ modules, weight }) => {
      const needs = new Uint8Array(later.length)
      for (const module of modules) reach(begun.get(module) ?? -1, needs)
      return { weight, needs }
    }),
    costs: Float64Array.from(later, (part) => (parts[part]?.size ?? 0) + FILE),
  }
}

/** Those that are needed by the very same: nothing that lies between two of them is needed by others. */
function alike({ files, loads }: Plan): readonly (readonly File[])[] {
  const found = Map.groupBy(files, ({ n }) => loads.map(({ needs }) => needs[n]).join(''))
  return [...found].flatMap(([needed, all]) => (needed.includes('1') ? [all] : []))
}

/** What is known of the files from one putting together to the next: most of it stays as it is. */
interface Known {
  /** By number: what each opening is sent more where the file comes to it. */
  readonly more: Float64Array[]
  /** By both numbers, the lower one first: what is sent more where the two are one. */
  readonly costs: readonly Float64Array[]
}

/** The two files that are best put together, if that gains anything. */
function cheapest(plan: Plan, known: Known): readonly [File, File] | undefined {
  const { files, loads } = plan
  const saved = Float64Array.from(loads, ({ weight }) => weight * FILE)
  const changed = new Set(files.filter((file) => isOther(known, file.n, moreOf(plan, file))))
  let least = 0
  let best: readonly [File, File] | undefined
  for (const [i, one] of files.entries())
    for (let j = i + 1; j < files.length; j++) {
      const other = files[j] as File
      const of = known.costs[Math.min(one.n, other.n)] as Float64Array
      const at = Math.max(one.n, other.n)
      if (changed.has(one) || changed.has(other))
        of[at] = costOf(known.more[one.n] as Float64Array, known.more[other.n] as Float64Array, saved)
      const cost = of[at] as number
      if (cost < least && !goesInCircle(files, one, other)) {
        least = cost
        best = [one, other]
      }
    }
  return best
}

/** Keeps what a file comes to now; whether it was something else before. */
function isOther({ more }: Known, n: number, now: Float64Array): boolean {
  const before = more[n]
  if (before && now.every((sum, load) => sum === before[load])) return false
  more[n] = now
  return true
}

/** What each opening is sent more where this file comes to it, with all that the file needs and it has not got; -1 where it is there already. */
function moreOf({ loads, costs }: Plan, { n, size, closure }: File): Float64Array {
  const needed: number[] = []
  for (let other = 0; other < closure.length; other++) if (closure[other] && other !== n) needed.push(other)
  return Float64Array.from(loads, ({ weight, needs }) => {
    if (needs[n]) return -1
    let sum = size
    for (const other of needed) if (!needs[other]) sum += costs[other] as number
    return weight * sum
  })
}

/** What is sent more where two files are one, less the files that are not asked for any more. */
function costOf(one: Float64Array, other: Float64Array, saved: Float64Array): number {
  let cost = 0
  for (let load = 0; load < saved.length; load++) {
    const a = one[load] as number
    const b = other[load] as number
    if (a < 0) cost += b < 0 ? -(saved[load] as number) : b
    else if (b < 0) cost += a
  }
  return cost
}

/** Whether something lies between the two, which one needs and which needs the other. */
const goesInCircle = (files: readonly File[], one: File, other: File): boolean =>
  files.some(
    (between) =>
      between !== one &&
      between !== other &&
      ((one.closure[between.n] && between.closure[other.n]) || (other.closure[between.n] && between.closure[one.n])),
  )

/** Puts the second into the first. */
function putTogether({ files, loads, costs }: Plan, one: File, other: File): File {
  const closure = one.closure.map((needed, n) => needed | (other.closure[n] as number))
  closure[other.n] = 0
  const both = { n: one.n, parts: [...one.parts, ...other.parts], size: one.size + other.size, closure }
  costs[one.n] = both.size + FILE
  costs[other.n] = 0
  files.splice(files.indexOf(other), 1)
  files[files.indexOf(one)] = both
  for (const flags of [...files.map((file) => file.closure), ...loads.map((load) => load.needs)]) {
    if (!flags[one.n] && !flags[other.n]) continue
    closure.forEach((needed, n) => {
      if (needed) flags[n] = 1
    })
    flags[other.n] = 0
  }
  return both
}
