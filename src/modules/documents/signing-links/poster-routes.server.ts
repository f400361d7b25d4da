import { FORBIDDEN_DURING_IMPERSONATION_MESSAGE } from '#kernel/can.ts'
import { problem } from '#kernel/errors.ts'
import { text } from '#kernel/fields.ts'
import { parseId } from '#kernel/iri.ts'
import type { Resource, RowOf } from '#kernel/resource.ts'
import type { Roles } from '#kernel/roles.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import type { Context } from '#server/engine/types.ts'
import { createPosterSecret, readLastDay, renderLinkPoster, signingLinkState } from './links.server.ts'
import type { SigningLinkState } from './signing-link.ts'

type StoredLinks = Parameters<typeof signingLinkState>[2]
type PosterWords = Omit<Parameters<typeof renderLinkPoster>[1], 'address' | 'until'>

/** Kind of record that has one link at a time, whose QR code is printed on a poster. */
interface PosterLinkKind<R extends Resource> {
  readonly of: R
  /** Type of the answers, such as `FormLink`. */
  readonly type: string
  /** Word for the record, such as `form`. */
  readonly noun: string
  /** Purpose of the link, which completes “the link by which people …”: `answer a form`. */
  readonly purpose: string
  /** Path of the link's page, such as `/form`. */
  readonly page: string
  /** Purpose under which the secret of a record's link is encrypted. */
  readonly sealedAs: (id: number) => string
  readonly allow: Roles
  /** Number of days after its creation on which a link still works: by default, and at most. */
  readonly days: { readonly usual: number; readonly most: number }
  /** Throws 409 if no link to the locked record may be created. */
  readonly check: (c: Context, record: RowOf<R>) => void | Promise<void>
  /** Returns the record's links, each with the number of answers given with it. */
  readonly links: (c: Pick<Context, 'find'>, id: number) => Promise<StoredLinks>
  readonly create: (
    c: Context,
    id: number,
    link: ReturnType<typeof createPosterSecret> & { until: string },
  ) => Promise<void>
  /** Withdraws all links of the record. */
  readonly withdraw: (c: Context, id: number) => Promise<void>
  readonly poster: (record: RowOf<R>) => PosterWords
}

/** Routes by which the record's managers create, read, print and withdraw its link. Never during impersonation. */
export function posterLinkRoutes<R extends Resource>(kind: PosterLinkKind<R>): readonly Route[] {
  const { of, allow, days, noun, purpose } = kind
  const path = `${of.url}/{id}/link`
  const placeOf = (id: number) => ({ page: kind.page, purpose: kind.sealedAs(id) })

  /** Loads the record that a request is about. Throws 404 for another company's record. */
  const findManaged = async (c: RouteContext): Promise<RowOf<R>> => {
    if (c.me.original) throw problem.forbidden(FORBIDDEN_DURING_IMPERSONATION_MESSAGE, 'in_person')
    const id = parseId(c.params.id)
    if (id === undefined) throw problem.notFound()
    await c.engine.one(of, c.me, id)
    const record = await c.engine.readIn(c.me.clientId, `read the ${noun} of a link`, (reader) => reader.get(of, id))
    if (record?.clientId !== c.me.clientId) throw problem.notFound()
    return record
  }
  const stateOf = async (c: Pick<Context, 'find' | 'engine' | 'clientId'>, id: number): Promise<SigningLinkState> =>
    signingLinkState(
      c,
      { '@id': path.replace('{id}', String(id)), '@type': kind.type },
      await kind.links(c, id),
      placeOf(id),
      null,
    )
  const readState = (c: RouteContext, { id }: RowOf<R>) =>
    c.engine.readIn(c.me.clientId, `read the link of a ${noun}`, (reader) =>
      stateOf({ find: reader.find.bind(reader), engine: c.engine, clientId: c.me.clientId }, id),
    )
  const withLockedRecord = async (c: RouteContext, act: (unit: Context, record: RowOf<R>) => Promise<void>) => {
    const { id } = await findManaged(c)
    return c.engine.inTenant(c.me.clientId, c.change(), async (unit) => {
      await act(unit, await unit.lock(of, id))
      await unit.work.flush()
      const now = await stateOf(unit, id)
      return () => ({ ...now })
    })
  }
  return [
    {
      method: 'GET',
      path,
      title: `Get the link by which people ${purpose} without signing in`,
      allow,
      handle: async (c) => ({ ...(await readState(c, await findManaged(c))) }),
    },
    routeWithInput(
      { until: text({ label: 'Expires on', help: `By default in ${days.usual} days.` }) },
      {
        method: 'POST',
        path,
        title: `Create the link by which people ${purpose}, or get the one that works`,
        allow,
        refuses: [409, 422],
        handle: (c) =>
          withLockedRecord(c, async (unit, record) => {
            await kind.check(unit, record)
            const until = readLastDay(unit.now, c.input.until, days)
            if ((await stateOf(unit, record.id)).link) return
            await kind.withdraw(unit, record.id)
            await kind.create(unit, record.id, { ...createPosterSecret(unit, placeOf(record.id).purpose), until })
          }),
      },
    ),
    {
      method: 'DELETE',
      path,
      title: `Withdraw the link by which people ${purpose}`,
      allow,
      handle: (c) => withLockedRecord(c, (unit, { id }) => kind.withdraw(unit, id)),
    },
    {
      method: 'GET',
      path: `${path}/poster`,
      title: `Get a poster with the QR code by which people ${purpose}, as a PDF`,
      allow,
      file: ['application/pdf'],
      refuses: [409],
      handle: async (c) => {
        const record = await findManaged(c)
        const { link } = await readState(c, record)
        if (!link)
          throw problem.conflict(`This ${noun} has no link that works. Please create one, then print the poster.`)
        return renderLinkPoster(c, { ...kind.poster(record), address: link.address, until: link.until })
      },
    },
  ]
}
