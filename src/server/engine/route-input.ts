import { problem, type Violation } from '#kernel/errors.ts'
import type { Field, Fields } from '#kernel/fields.ts'
import type { ActionInputOf, Resource } from '#kernel/resource.ts'
import { removeInvisibleCharacters } from '#kernel/text.ts'
import { fieldViolations } from '#kernel/validate.ts'
import { findReferencedIds } from '#server/data/access-sql.ts'
import { parseRecordInput } from '#server/data/input.ts'
import { defaultValuesOf } from '#server/data/plan.ts'
import type { Route, RouteContext } from './route.ts'

type Handle<I extends Fields> = (c: RouteContext & { readonly input: ActionInputOf<I> }) => ReturnType<Route['handle']>

interface RouteWith<I extends Fields> extends Omit<Route, 'handle' | 'input'> {
  readonly handle: Handle<I>
  /** Resource that the ID in the path refers to. An inaccessible record returns 404, regardless of the body. */
  readonly of?: Resource
}

/** Declares a route with a body that is typed, validated and documented like the input of an action. */
export const routeWithInput = <I extends Fields>(input: I, { handle, of, ...route }: RouteWith<I>): Route => ({
  ...route,
  input,
  handle: async (c) => {
    if (of) await c.engine.one(of, c.actor, await c.engine.idOf(of, c.actor, c.params.id))
    return handle({ ...c, input: await readBody(c, input) })
  },
})

/** A parsed body, and its violations. */
export interface ParsedBody<I extends Fields> {
  readonly input: ActionInputOf<I>
  readonly wrong: readonly Violation[]
}

/** Parses a body according to its declaration. Throws 400 for a value of the wrong type or an unknown record. */
export async function parseDeclaredBody<I extends Fields>(
  c: Pick<RouteContext, 'body' | 'actor' | 'engine'>,
  fields: I,
): Promise<ParsedBody<I>> {
  const { values, references } = parseRecordInput(fields, c.body, c.actor)
  const found = await findReferencedIds(c.engine.db.read, c.actor, references)
  const seen = Object.entries(values).map(([name, value]) => [name, withoutInvisible(fields[name], value)])
  const input = { ...defaultValuesOf(fields), ...Object.fromEntries(seen), ...found }
  return { input: input as ActionInputOf<I>, wrong: fieldViolations(fields, input) }
}

/** Removes invisible characters from text whose declaration requires it. Longer text keeps its lines. */
function withoutInvisible(f: Field | undefined, value: unknown): unknown {
  if (!f?.stripInvisible || typeof value !== 'string') return value
  return f.kind === 'longText'
    ? value.split('\n').map(removeInvisibleCharacters).join('\n')
    : removeInvisibleCharacters(value)
}

/** Parses a body according to its declaration. Also throws 422 for violations. */
async function readBody<I extends Fields>(c: RouteContext, fields: I): Promise<ActionInputOf<I>> {
  const { input, wrong } = await parseDeclaredBody(c, fields)
  if (wrong.length) throw problem.invalid(wrong)
  return input
}
