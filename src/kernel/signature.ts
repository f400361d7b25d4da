import { type Violation, violation } from './errors.ts'
import type { FieldOption } from './fields.ts'

/** Point in a stroke: its distances from the left and from the top, each as a fraction of the pad from 0 to 1. */
export type SignaturePoint = readonly [x: number, y: number]
export type SignatureStroke = readonly SignaturePoint[]

export interface SignatureValue {
  readonly name: string
  readonly method: 'finger' | 'typed'
  /** Strokes in the drawing; empty for a typed signature. */
  readonly strokes: readonly SignatureStroke[]
  /** Width of the pad in pixels. With the height, it determines the proportions of the drawing. */
  readonly width: number
  readonly height: number
}

/** Maximum number of points in a drawing, across all its strokes. */
export const MAX_SIGNATURE_POINTS = 20_000
/** Minimum length of a drawing, as a fraction of the pad. Anything shorter is an accidental touch. */
const SHORTEST = 0.15

/**
 * Returns the total length of the strokes as a fraction of the pad. Stops measuring once the length reaches `enough`.
 */
export function totalStrokeLength(strokes: readonly SignatureStroke[], enough = Number.POSITIVE_INFINITY): number {
  let ink = 0
  for (const stroke of strokes)
    for (let at = 1; at < stroke.length && ink < enough; at++) {
      const [[fromX, fromY], [x, y]] = [stroke[at - 1] as SignaturePoint, stroke[at] as SignaturePoint]
      ink += Math.hypot(x - fromX, y - fromY)
    }
  return ink
}

/**
 * Returns the problems with a signature, in the order of its fields; empty if the signature is valid. `mustDraw`: a typed
 * name is not enough.
 */
export function signatureProblems(given: SignatureValue, mustDraw = false): Violation[] {
  const wrong: Violation[] = []
  if (!isPersonName(given.name)) wrong.push(violation('name', 'Please enter your full name'))
  else if (given.name.length > 255) wrong.push(violation('name', 'The name can have at most 255 characters'))
  const drawing = mustDraw || given.method === 'finger' ? strokesProblem(given, mustDraw) : undefined
  if (drawing) wrong.push(violation('strokes', drawing))
  return wrong
}

/** Returns the problem with the strokes. A blank pad is reported as blank, even if it has no size either. */
const strokesProblem = (given: SignatureValue, mustDraw = false): string | undefined =>
  isBlank(given)
    ? mustDraw
      ? BLANK_DRAWING
      : BLANK
    : isDrawn(given.width) && isDrawn(given.height)
      ? undefined
      : UNREADABLE

const BLANK = 'Please sign in the box, or type your name instead'
const BLANK_DRAWING = 'Please sign in the box'
const UNREADABLE = 'The drawn signature is not valid. Please sign again'
/** True for a pad side of at least one pixel. A smaller drawing has no proportions and can't be displayed. */
const isDrawn = (size: unknown): size is number => isSize(size) && size >= 1
const isBlank = ({ strokes }: Pick<SignatureValue, 'strokes'>) => totalStrokeLength(strokes, SHORTEST) < SHORTEST

/** Returns the drawing to send in a request body; null for a typed name. */
export const toDrawingRequestBody = ({ method, width, height, strokes }: SignatureValue) =>
  method === 'finger' ? { width, height, strokes } : null

/** Parses a signature from a request body; `undefined` if it is invalid or larger than any real drawing. */
export function parseSignature(value: unknown): SignatureValue | undefined {
  if (!value || typeof value !== 'object') return undefined
  const { name, method, strokes = [], width = 0, height = 0 } = value as Record<string, unknown>
  if (typeof name !== 'string' || (method !== 'finger' && method !== 'typed')) return undefined
  if (!isSize(width) || !isSize(height) || !Array.isArray(strokes)) return undefined
  if (!strokes.every((s) => Array.isArray(s) && s.every(isPoint))) return undefined
  if (strokes.reduce((points, s) => points + s.length, 0) > MAX_SIGNATURE_POINTS) return undefined
  return { name: name.trim(), method, strokes: method === 'typed' ? [] : strokes, width, height }
}

/**
 * Converts a signature to the value stored in a form answer, with the name trimmed and cut to 255 characters; null if
 * the signature is invalid.
 */
export function toStoredSignature(value: unknown): SignatureValue | null {
  const given = parseSignature(value)
  return given ? { ...given, name: given.name.slice(0, 255).toWellFormed() } : null
}

const isSize = (v: unknown): v is number => typeof v === 'number' && v >= 0 && v <= 10_000
const isPoint = (p: unknown): p is SignaturePoint => Array.isArray(p) && p.length === 2 && isPart(p[0]) && isPart(p[1])
const isPart = (n: unknown) => typeof n === 'number' && n >= 0 && n <= 1

/**
 * Converts a drawing to the stored value, without additional properties; null for a typed name, a missing drawing or an
 * invalid drawing.
 */
export function toStoredSignatureDrawing(method: string | null | undefined, value: unknown) {
  const given =
    method === 'typed' || !value ? undefined : parseSignature({ ...value, name: 'Somebody', method: 'finger' })
  return given ? toDrawingRequestBody(given) : null
}

/**
 * Returns the problem with a drawing, `{width, height, strokes}`; `undefined` if it is a valid signature. `mustDraw`: a
 * typed name is not enough.
 */
export function signatureDrawingProblem(value: unknown, mustDraw = false): string | undefined {
  const given = parseSignature({ ...(value as object), name: 'Somebody', method: 'finger' })
  return given ? strokesProblem(given, mustDraw) : UNREADABLE
}

/**
 * Scales a stored drawing, `{width, height, strokes}`, from points between 0 and 1 to its own size for printing.
 * `undefined` for a typed name.
 */
export function toPrintableSignatureDrawing(
  value: unknown,
): { width: number; height: number; strokes: SignaturePoint[][] } | undefined {
  const drawn = value as Partial<Pick<SignatureValue, 'strokes' | 'width' | 'height'>> | null
  if (!drawn?.strokes?.length) return undefined
  const { strokes } = drawn
  // Earlier drawings were stored without a size, so a default size is used for them.
  const [width, height] = isDrawn(drawn.width) && isDrawn(drawn.height) ? [drawn.width, drawn.height] : [300, 100]
  return {
    width,
    height,
    strokes: strokes.map((line) => line.map(([x, y]): SignaturePoint => [x * width, y * height])),
  }
}

/** True if two names look the same, ignoring case, spaces, the encoding of accents and invisible characters. */
export const isSamePersonName = (one: string, other: string): boolean =>
  normalisePersonName(one) === normalisePersonName(other)
/**
 * Invisible characters: joiners, soft hyphens and direction marks. `folded_name` in the database ignores the same
 * characters.
 */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu
/** True if a name contains a letter. */
export const isPersonName = (name: string | null | undefined): boolean => /\p{L}/u.test(normalisePersonName(name ?? ''))

/** Normalises a name for comparison: ignores case, extra spaces, the encoding of accents and invisible characters. */
export const normalisePersonName = (name: string): string =>
  name.replace(UNSEEN, '').normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()

/**
 * Result of checking the PIN entered with a signature on another person's device. `wrong`: the PIN did not match.
 * `none`: the person has not set a PIN. `unchecked`: no readable PIN arrived with the signature.
 */
export const PIN_CHECKS = [
  { value: 'checked', label: 'PIN checked' },
  { value: 'wrong', label: 'PIN did not match' },
  { value: 'none', label: 'no PIN set' },
  { value: 'unchecked', label: 'PIN not checked' },
] as const satisfies readonly FieldOption[]

export type PinCheck = (typeof PIN_CHECKS)[number]['value']

/** Returns the text of a PIN check beside a signature, such as `PIN checked`; empty for signatures without one. */
export const pinCheckText = (check: string | null | undefined): string =>
  PIN_CHECKS.find(({ value }) => value === check)?.label ?? ''
