import { choice } from '#kernel/fields.ts'
import { textOf } from '#kernel/text.ts'
import { londonDate } from '#kernel/time.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, type RouteContext, RouteResponse } from '#server/engine/route.ts'
import type { Engine } from '#server/engine/types.ts'
import { renderControlledDocument, renderControlledDocumentSvg } from '#server/pdf/furniture.ts'
import { letterheadBehaviour, readLetterhead, readLogo } from './letterhead.server.ts'
import { LETTERHEAD_MANAGERS, letterhead } from './letterhead.ts'

const { header, footer } = letterhead.fields
const query = {
  header,
  footer,
  logoGround: choice([
    { value: 'white', label: 'White' },
    { value: 'dark', label: 'Dark' },
  ]),
}

type SampleRequestContext = Pick<RouteContext, 'query' | 'me'>

/** Reads the company's letterhead, with unsaved values from the query. */
async function sampleOf(engine: Engine, { query: asked, me }: SampleRequestContext) {
  const said = (name: 'header' | 'footer') =>
    asked[name] === undefined ? undefined : textOf(asked[name]).slice(0, header.max) || null
  const kept = await readLetterhead(engine, me.clientId, { header: said('header'), footer: said('footer') })
  const { logo: stored, ...rest } = kept.client
  const { ground, ...plain } = stored ?? { ground: undefined, key: '', caption: '' }
  const dark = asked.logoGround === undefined ? ground === 'dark' : asked.logoGround === 'dark'
  const logo =
    stored &&
    (await readLogo(engine, { ...kept, client: { ...rest, logo: { ...plain, ...(dark ? { ground: 'dark' } : {}) } } }))
  const today = londonDate(engine.clock.now())
  return {
    template: new URL('./sample.typ', import.meta.url),
    client: me.clientId,
    furniture: {
      number: 'RA-0042',
      revision: 2,
      state: 'current' as const,
      kindName: 'Risk assessment',
      title: 'Sample page',
      client: { ...rest, logo },
      brand: kept.brand,
      author: 'Ada Author',
      createdOn: today.toString(),
      completedOn: today.toString(),
      approvedBy: 'Sam Second',
      approvedOn: today.toString(),
      reviewDue: today.add({ months: 12 }).toString(),
      signatures: [],
      history: [],
    },
    body: {},
  }
}

const sample = (path: string, title: string, type: string, make: typeof renderControlledDocument): Route => ({
  method: 'GET',
  path: `${letterhead.url}/${path}`,
  title,
  allow: LETTERHEAD_MANAGERS,
  query,
  file: [type],
  handle: async (c) =>
    new RouteResponse(200, await make(await sampleOf(c.engine, c)), {
      'content-type': type,
      'content-disposition': `inline; filename="sample.${path.split('.')[1]}"`,
    }),
})

/** Routes for a sample page with unsaved values, rendered by the same printer as documents. */
const sampleRoutes = [
  sample(
    'sample.svg',
    'Get a sample page of a company’s documents, as a picture',
    'image/svg+xml',
    renderControlledDocumentSvg,
  ),
  sample(
    'sample.pdf',
    'Get a sample page of a company’s documents, as a PDF',
    'application/pdf',
    renderControlledDocument,
  ),
]

export const letterheads = feature({
  resources: [letterhead],
  behaviours: [letterheadBehaviour],
  routes: sampleRoutes,
})
