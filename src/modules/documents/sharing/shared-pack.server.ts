import { problem } from '#kernel/errors.ts'
import type { RowOf } from '#kernel/resource.ts'
import { bearerActor, systemActor } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { client } from '#modules/portal/clients/client.ts'
import { readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import { parseLinkToken } from '#server/auth/link-token.ts'
import type { Engine } from '#server/engine/types.ts'
import { gatherPack, packOwner, packTitle } from '../packs/gather.server.ts'
import { renderOrLoadPack } from '../packs/kept-pack.server.ts'
import { readBundleParts, withdrawnPartNames } from '../references/parts.server.ts'
import { document } from '../types/document.ts'
import { type DocumentKind, documentRecordTitle } from '../types/kind.ts'
import { referencesIn } from '../types/reference.ts'
import { packLink, type SharedPack } from './pack-link.ts'

type Link = RowOf<typeof packLink>
type Document = RowOf<typeof document>

/** A resolved link with its pack, and the reason if it can't be read. */
interface Followed {
  readonly clientId: number
  readonly link: Link
  readonly document: Document
  /** Parts of the pack, in no order. */
  readonly papers: readonly Document[]
  readonly company: string
  readonly sentence: string
}

/** Resolves a link. Throws 404, without details, if unknown; 410 if the company has left. */
export async function resolvePackLink(engine: Engine, token: string | undefined): Promise<Followed> {
  const unknown = problem.notFound(
    'This link is incomplete or has been changed. Please open it from the e-mail again, or ask for a new one.',
  )
  const brought = parseLinkToken(token)
  if (!brought) throw unknown
  const { clientId } = brought
  return engine.readIn(clientId, 'resolve the link of a pack', async (c) => {
    const link = await c.get(packLink, brought.id)
    const [shared, company] = [link && (await c.get(document, link.document ?? 0)), await c.get(client, clientId)]
    if (!link || !brought.fits(link.hash) || !shared || !company || company.retired) throw unknown
    const [called, papers] = [company.company, await readBundleParts(c, shared.id)]
    const today = londonDate(engine.clock.now()).toString()
    const sentence = refusalFor(link, shared, { company: called, today }) || goneIn(papers, called)
    return { clientId, link, document: shared, papers, company: called, sentence }
  })
}

/** Reason why the link no longer gives access; empty if it does. */
function refusalFor(
  { withdrawnAt, until }: Link,
  { current, retired, state, documentNumber, revision }: Followed['document'],
  { company, today }: { readonly company: string; readonly today: string },
): string {
  const ask = `Please ask ${company} for a new link.`
  if (withdrawnAt) return `${company} has withdrawn this link. ${ask}`
  if (until < today) return `This link has expired. ${ask}`
  if (retired) return `${company} has withdrawn this pack: do not work from a copy of it. ${ask}`
  if (state === 'replaced' || !current)
    return `${documentNumber} revision ${revision} has been replaced: do not work from a copy of it. ${ask}`
  return ''
}

/** Message if the company has withdrawn a part of the pack; otherwise empty. */
function goneIn(papers: readonly Document[], company: string): string {
  const named = withdrawnPartNames(papers)
  if (!named) return ''
  return `${company} has withdrawn a part of this pack, ${named}: do not work from a copy of it. Please ask ${company} for a new link.`
}

/** The portal reads the pack for the bearer, on behalf of the company that shares it. */
const readerFor = ({ clientId, company, link }: Followed) => ({
  ...systemActor(clientId, `follow the link for ${link.called}`),
  name: company,
})

/** The pack as shown to the bearer of its link. */
export async function loadSharedPack(
  engine: Engine,
  kinds: readonly DocumentKind[],
  token: string | undefined,
): Promise<SharedPack> {
  const followed = await resolvePackLink(engine, token)
  const { clientId, company, sentence, document: shared, link } = followed
  const at = `/api/safety/shared_packs/${token}`
  const about = {
    '@id': at,
    '@type': 'SharedPack' as const,
    company,
    logo: (await readLetterhead(engine, clientId)).client.logo ? `${at}/logo` : null,
    sentence,
  }
  const kind = kinds.find((k) => k.kind === shared.kind)
  if (sentence || !kind) return about
  const record = await engine.one(kind.resource, readerFor(followed), shared.id)
  const papers = referencesIn(kind.references, record).flatMap(({ rows }) =>
    rows.map(({ target, file, notes }) => ({
      number: target ? `${target.documentNumber}, revision ${target.revision}` : 'File',
      title: target?.title ?? file?.name ?? '',
      notes,
      replaced: followed.papers.some(({ id, state }) => id === target?.id && state === 'replaced'),
    })),
  )
  const { documentNumber: number, revision, approvedAt, signatures } = record
  const title = documentRecordTitle(kind, record)
  return { ...about, pack: { number, revision, title, approvedAt, until: link.until, signatures, papers } }
}

/** The file: the pack's own page, then its parts with their references. Throws 410 if it can no longer be read. */
export async function renderSharedPack(engine: Engine, kinds: readonly DocumentKind[], followed: Followed) {
  const reader = readerFor(followed)
  const contents = await gatherPack(engine, kinds, reader, { ids: [followed.document.id], deep: true })
  const [first] = contents.documents
  if (!first) throw problem.notFound()
  const title = packTitle(first, contents.documents.length - 1)
  return {
    title,
    pdf: await renderOrLoadPack(engine, reader, contents, { title, clientId: packOwner(contents.documents) }),
  }
}

export async function logLinkOpening(engine: Engine, { clientId, link }: Followed, requestId: string): Promise<void> {
  const holder = bearerActor(clientId, { username: 'link', name: `Bearer of the link for ${link.called}` }, [
    { type: packLink.type, id: link.id, verbs: ['read', 'open'] },
  ])
  await engine.inTenant(clientId, { actor: holder, requestId, resource: packLink, id: link.id }, async (c) => {
    await c.act(packLink, 'open', link.id, {})
    return () => undefined
  })
}
