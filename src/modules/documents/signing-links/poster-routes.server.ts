import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { createPosterSecret, readLastDay, renderLinkPoster, signingLinkState } from './links.server.ts'
import type { SigningLinkState } from './signing-link.ts'

interface StoredPosterLink {
  readonly id: number
  readonly sealed: string
  readonly until: string
  readonly withdrawnAt: string | null
}

type PosterWords = Omit<Parameters<typeof renderLinkPoster>[1], 'address' | 'until'>

/** Kind of record that has one link at a time, whose QR code is printed on a poster. */
interface PosterLinkKind<R extends Resource> {
  readonly of: R
  /** Type of the answers, such as `IncidentSiteLink`. */
  readonly type: string
  /** Path of the link's page, such as `/report`. */
  readonly page: string
  /** Words for the address in the API's description, such as `report incidents at a site`. */
  readonly purpose: string
  readonly allow: Roles
  /** Number of days after its creation on which a link still works: by default, and at most. */
  readonly days: { readonly usual: number; readonly most: number }
  /** Returns the record's links, each with the number of answers given with it. */
  readonly links: (
    c: Pick<Context, 'find'>,
    id: number,
  ) => Promise<readonly (StoredPosterLink & { readonly signed: number })[]>
  readonly create: (
    c: Context,
    id: number,
    secret: ReturnType<typeof createPosterSecret>,
    until: string,
  ) => Promise<void>
  readonly withdraw: (c: Context, linkId: number) => Promise<void>
  readonly poster: (record: RecordOf<R>) => PosterWords
}

/** Routes by which the record's managers create, read, print and withdraw its link. Never during impersonation. */
export function posterLinkRoutes<R extends Resource>(kind: PosterLinkKind<R>): readonly Route[] {
  const { of, allow, days, page, purpose } = kind
  const path = `${of.url}/{id}/link`
  const placeOf = (id: number) => ({ page, purpose: `${kind.type} ${id}` })

  const findManaged = async (c: RouteContext): Promise<RecordOf<R>> => {
    if (c.me.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
    const id = parseId(c.params.id)
    if (id === undefined) throw problem.notFound()
    return c.engine.one(of, c.me, id)
  }
  const stateOf = async (c: Pick<Context, 'find' | 'engine' | 'clientId'>, id: number): Promise<SigningLinkState> =>
    signingLinkState(
      c,
      { '@id': path.replace('{id}', String(id)), '@type': kind.type },
      await kind.links(c, id),
      placeOf(id),
      null,
    )
  const readState = (c: RouteContext, { id }: { readonly id: number }) =>
    c.engine.readIn(c.me.clientId, `read the link to ${purpose}`, (reader) =>
      stateOf({ find: reader.find.bind(reader), engine: c.engine, clientId: c.me.clientId }, id),
    )
  const withdrawAll = async (c: Context, id: number) => {
    for (const link of await kind.links(c, id)) if (!link.withdrawnAt) await kind.withdraw(c, link.id)
    await c.work.flush()
  }
  const change = (c: RouteContext, act: (unit: Context, id: number) => Promise<void>) =>
    findManaged(c).then(({ id }) =>
      c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
        await unit.lock(of, id)
        await act(unit, id)
        const now = await stateOf(unit, id)
        return () => ({ ...now })
      }),
    )
  return [
    {
      method: 'GET',
      path,
      title: `Get the link to ${purpose} without signing in`,
      allow,
      handle: async (c) => ({ ...(await readState(c, await findManaged(c))) }),
    },
    routeWithInput(
      { until: text({ label: 'Expires on', help: `By default in ${days.usual} days.` }) },
      {
        method: 'POST',
        path,
        title: `Create the link to ${purpose} without signing in, or get the one that works`,
        allow,
        refuses: [422],
        handle: async (c) => {
          const until = readLastDay(c.now, c.input.until, days)
          return change(c, async (unit, id) => {
            if ((await stateOf(unit, id)).link) return
            await withdrawAll(unit, id)
            await kind.create(unit, id, createPosterSecret(unit, placeOf(id).purpose), until)
            await unit.work.flush()
          })
        },
      },
    ),
    {
      method: 'DELETE',
      path,
      title: `Withdraw the link to ${purpose}`,
      allow,
      handle: (c) => change(c, withdrawAll),
    },
    {
      method: 'GET',
      path: `${path}/poster`,
      title: `Get a poster with the QR code to ${purpose}, as a PDF`,
      allow,
      file: ['application/pdf'],
      refuses: [409],
      handle: async (c) => {
        const record = await findManaged(c)
        const { link } = await readState(c, record)
        if (!link) throw problem.conflict('There is no link that works. Please create one, then print the poster.')
        return renderLinkPoster(c, { ...kind.poster(record), address: link.address, until: link.until })
      },
    },
  ]
}
