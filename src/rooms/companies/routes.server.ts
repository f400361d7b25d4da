import { problem } from '#kernel/errors.ts'
import { integer, text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { firstOf, type Query } from '#server/data/filters.ts'
import type { Engine } from '#server/engine/engine.ts'
import type { Route } from '#server/engine/route.ts'
import { fromBase64 } from '#server/http/base64.ts'
import { companiesHouse } from './company.ts'
import { Register } from './register.server.ts'

const MOST = 50
const USUAL = 20
/** No name in the register is longer. */
const LONGEST = 160

const registers = new WeakMap<Engine, Register>()
const registerOf = (engine: Engine): Register => {
  const register = registers.get(engine) ?? new Register(engine)
  registers.set(engine, register)
  return register
}

const sizeOf = (v: Query[string]) => {
  const asked = readId(firstOf(v))
  return asked ? Math.min(asked, MOST) : USUAL
}

export const companyRoutes: Route[] = [
  {
    method: 'GET',
    path: companiesHouse.url,
    title: 'Look companies up by a part of their name, or by their number; companyName may come in base64',
    query: {
      companyName: text({ help: 'A part of the name, or the number; plain or in base64.' }),
      itemsPerPage: integer({ help: `At most ${MOST}.` }),
    },
    lists: 'objects',
    allow: companiesHouse.allow.read ?? 'nobody',
    handle: async ({ engine, query }) => {
      const typed = fromBase64(firstOf(query.companyName).trim()).slice(0, LONGEST)
      const { companies, notice } = typed
        ? await registerOf(engine).search(typed, sizeOf(query.itemsPerPage))
        : { companies: [], notice: undefined }
      return {
        '@id': companiesHouse.url,
        '@type': 'hydra:Collection',
        'hydra:member': companies,
        ...(notice ? { notice } : {}),
      }
    },
  },
  {
    method: 'GET',
    path: `${companiesHouse.url}/{id}`,
    title: 'A company by its number or its id',
    allow: companiesHouse.allow.read ?? 'nobody',
    handle: async ({ engine, params }) => {
      const found = await registerOf(engine).one((params.id ?? '').trim())
      if (!found) throw problem.notFound('There is no company with this number.')
      return found
    },
  },
]
