import { type Violation, violation } from './errors.ts'

/** A point of a stroke: from the left and from the top, each from 0 to 1 of the pad. */
export type Point = readonly [x: number, y: number]
export type Stroke = readonly Point[]

/** What somebody put under a document. */
export interface SignatureGiven {
  readonly name: string
  readonly method: 'finger' | 'typed'
  /** Empty when typed. */
  readonly strokes: readonly Stroke[]
  /** Of the pad, in pixels: what gives the strokes their proportions. */
  readonly width: number
  readonly height: number
}

/** Points of a drawing, in all its strokes. */
export const POINTS = 20_000
/** Shorter than this, in parts of the pad, nobody's name is: a tap, a slip of the finger. */
const SHORTEST = 0.15

/** How far the pen has gone, in parts of the pad; followed no further than is `enough`. */
export function inkOf(strokes: readonly Stroke[], enough = Number.POSITIVE_INFINITY): number {
  let ink = 0
  for (const stroke of strokes)
    for (let at = 1; at < stroke.length && ink < enough; at++) {
      const [[fromX, fromY], [x, y]] = [stroke[at - 1] as Point, stroke[at] as Point]
      ink += Math.hypot(x - fromX, y - fromY)
    }
  return ink
}

/** What is wrong with a signature, in the order that a person fills it in; nothing when it can stand. */
export function signatureProblems(given: SignatureGiven): Violation[] {
  const wrong: Violation[] = []
  if (!isName(given.name)) wrong.push(violation('name', 'Please enter your full name'))
  else if (given.name.length > 255) wrong.push(violation('name', 'Name can have at most 255 characters'))
  const drawing = given.method === 'finger' ? strokesProblem(given) : undefined
  if (drawing) wrong.push(violation('strokes', drawing))
  return wrong
}

/** A blank pad says so before it says that it has no size: nobody has drawn on it. */
const strokesProblem = (given: SignatureGiven): string | undefined =>
  isBlank(given) ? BLANK : isDrawn(given.width) && isDrawn(given.height) ? undefined : UNREADABLE

const BLANK = 'Please sign in the box, or type your name instead'
const UNREADABLE = 'The drawn signature can’t be read. Please sign again'
/** Nothing is drawn on a pad of less than a pixel: it has no proportions, and no paper can show it. */
const isDrawn = (size: unknown): size is number => isSize(size) && size >= 1
const isBlank = ({ strokes }: Pick<SignatureGiven, 'strokes'>) => inkOf(strokes, SHORTEST) < SHORTEST

/** The drawing as a body carries it; null for a name that was typed. */
export const drawingOf = ({ method, width, height, strokes }: SignatureGiven) =>
  method === 'finger' ? { width, height, strokes } : null

/** A signature as a body brings it; `undefined` for what is none, or is larger than any hand draws. */
export function readSignature(value: unknown): SignatureGiven | undefined {
  if (!value || typeof value !== 'object') return undefined
  const { name, method, strokes = [], width = 0, height = 0 } = value as Record<string, unknown>
  if (typeof name !== 'string' || (method !== 'finger' && method !== 'typed')) return undefined
  if (!isSize(width) || !isSize(height) || !Array.isArray(strokes)) return undefined
  if (!strokes.every((s) => Array.isArray(s) && s.every(isPoint))) return undefined
  if (strokes.reduce((points, s) => points + s.length, 0) > POINTS) return undefined
  return { name: name.trim(), method, strokes: method === 'typed' ? [] : strokes, width, height }
}

/** A signature as an answer of a form keeps it, its name tidied; null for what is none. */
export function keptSignature(value: unknown): SignatureGiven | null {
  const given = readSignature(value)
  return given ? { ...given, name: given.name.slice(0, 255).toWellFormed() } : null
}

const isSize = (v: unknown): v is number => typeof v === 'number' && v >= 0 && v <= 10_000
const isPoint = (p: unknown): p is Point => Array.isArray(p) && p.length === 2 && isPart(p[0]) && isPart(p[1])
const isPart = (n: unknown) => typeof n === 'number' && n >= 0 && n <= 1

/** A drawing as it is kept, without what else came with it; null for a name that was typed. */
export function keptDrawing(method: string | null | undefined, value: unknown) {
  const given =
    method === 'typed' || !value ? undefined : readSignature({ ...value, name: 'Somebody', method: 'finger' })
  return given ? drawingOf(given) : null
}

/** What is wrong with a drawing by itself, `{width, height, strokes}`; nothing when it can stand for a name. */
export function drawingProblem(value: unknown): string | undefined {
  const given = readSignature({ ...(value as object), name: 'Somebody', method: 'finger' })
  return given ? strokesProblem(given) : UNREADABLE
}

/**
 * A kept drawing, `{width, height, strokes}` with points from 0 to 1, in the size of its own field: as documents print it.
 * Nothing for a name that was typed.
 */
export function printedInk(value: unknown): { width: number; height: number; strokes: Point[][] } | undefined {
  const drawn = value as Partial<Pick<SignatureGiven, 'strokes' | 'width' | 'height'>> | null
  if (!drawn?.strokes?.length) return undefined
  const { strokes } = drawn
  // Drawings were kept without a size once.
  const [width, height] = isDrawn(drawn.width) && isDrawn(drawn.height) ? [drawn.width, drawn.height] : [300, 100]
  return { width, height, strokes: strokes.map((line) => line.map(([x, y]): Point => [x * width, y * height])) }
}

/** Do two names look the same to people: whatever their capitals, their spaces, the way an accent is written, and what nobody sees? */
export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other)
/** Characters that show nothing: joiners, soft hyphens, marks of direction. `folded_name` in the database leaves the same out. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu
/** A name that people can be called by: one with a letter in it. */
export const isName = (name: string | null | undefined): boolean => /\p{L}/u.test(foldName(name ?? ''))

/** A name as people tell names apart. */
export const foldName = (name: string): string =>
  name.replace(UNSEEN, '').normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()
