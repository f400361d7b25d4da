import { problem } from '#kernel/errors.ts'
import { integer, text } from '#kernel/fields.ts'
import { readId } from '#kernel/iri.ts'
import { firstOf, type Query } from '#server/data/filters.ts'
import type { Route } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { fromBase64 } from '#server/http/base64.ts'
import type { Paging } from '#server/http/collection.ts'
import { pageOf } from '#server/http/list-route.ts'
import { companiesHouse } from './company.ts'
import { CompanyRegister } from './register.server.ts'

const MOST = 50
const USUAL = 20
/** Maximum results ranked and counted: more of the name narrows the search. */
const REACH = 100
/** Maximum length of a name in the register. */
const LONGEST = 160

const registers = new WeakMap<Engine, CompanyRegister>()
const registerOf = (engine: Engine): CompanyRegister => {
  const register = registers.get(engine) ?? new CompanyRegister(engine)
  registers.set(engine, register)
  return register
}

const sizeOf = (v: Query[string]) => {
  const asked = readId(firstOf(v))
  return asked ? Math.min(asked, MOST) : USUAL
}

const pageIn = (query: Query): Paging => {
  const [size, page] = [sizeOf(query.itemsPerPage), readId(firstOf(query.page)) ?? 1]
  return { page, size, whole: false, partial: false, limit: size, offset: Math.min((page - 1) * size, REACH) }
}

export const companyRoutes: Route[] = [
  {
    method: 'GET',
    path: companiesHouse.url,
    title: 'Search companies by part of the name or by number; companyName may be base64',
    query: {
      companyName: text({ help: 'Part of the name, or the number; plain or base64.' }),
      itemsPerPage: integer({ help: `At most ${MOST}.` }),
      page: integer({ help: `Page from 1, within the best ${REACH} results.` }),
    },
    listOf: 'objects',
    allow: companiesHouse.allow.read ?? 'nobody',
    handle: async ({ engine, query }) => {
      const typed = fromBase64(firstOf(query.companyName).trim()).slice(0, LONGEST)
      const p = pageIn(query)
      const { companies, total, notice } = typed
        ? await registerOf(engine).search(typed, { ...p, reach: REACH })
        : { companies: [], total: 0, notice: undefined }
      return {
        ...pageOf({ query }, companiesHouse.url, p, { members: companies, total }),
        ...(notice ? { notice } : {}),
      }
    },
  },
  {
    method: 'GET',
    path: `${companiesHouse.url}/{id}`,
    title: 'Get a company by its number or ID',
    allow: companiesHouse.allow.read ?? 'nobody',
    handle: async ({ engine, params }) => {
      const found = await registerOf(engine).one((params.id ?? '').trim())
      if (!found) throw problem.notFound('There is no company with this number.')
      return found
    },
  },
]
