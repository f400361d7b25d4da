import { problem } from '#kernel/errors.ts'
import type { Fields } from '#kernel/fields.ts'
import type { InputOf } from '#kernel/resource.ts'
import { problems } from '#kernel/validate.ts'
import { readInput } from '#server/data/input.ts'
import { defaultsOf } from '#server/data/plan.ts'
import { resolve } from '#server/data/references.ts'
import type { Route, RouteContext } from './route.ts'

type Handle<I extends Fields> = (c: RouteContext & { readonly input: InputOf<I> }) => ReturnType<Route['handle']>

/** A route whose body is declared, and read before it is handled: typed, checked and documented as the input of an action is. */
export const routeWith = <I extends Fields>(
  input: I,
  { handle, ...route }: Omit<Route, 'handle' | 'input'> & { readonly handle: Handle<I> },
): Route => ({ ...route, input, handle: async (c) => handle({ ...c, input: await readBody(c, input) }) })

/** Throws 400 for a wrong type or an unknown record, 422 for what the declaration refuses. */
async function readBody<I extends Fields>(c: RouteContext, fields: I): Promise<InputOf<I>> {
  const { values, references } = readInput(fields, c.body, c.actor)
  const found = await resolve(c.engine.db.read, c.actor, references)
  const input = { ...defaultsOf(fields), ...values, ...found }
  const wrong = problems(fields, input)
  if (wrong.length) throw problem.invalid(wrong)
  return input as InputOf<I>
}
