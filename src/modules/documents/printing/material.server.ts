import { idAtEnd } from '#kernel/iri.ts'
import { textOf } from '#kernel/text.ts'
import { readUserNames } from '#modules/identity/people/names.server.ts'
import { findPictures, type PictureReference, type StoredPicture } from '#modules/portal/files/pictures.server.ts'
import { type Letterhead, readLetterhead } from '#modules/portal/letterhead/letterhead.server.ts'
import type { Engine } from '#server/engine/types.ts'
import type { DocumentKind, DocumentRecord } from '../types/kind.ts'
import { uploadsOf } from '../types/upload-fields.ts'

/**
 * External material of a print. It is stored with the first PDF of a sealed revision and reused later, so that prints
 * stay the same after a company, picture or industry is renamed.
 */
export interface PrintMaterial {
  readonly letterhead: Letterhead
  readonly pictures: readonly StoredPicture[]
  readonly industry: string
  /** Names by username. */
  readonly names: Readonly<Record<string, string>>
}

/** Loads the current material of a document. Stored material is not changed. */
export async function gatherMaterial(
  engine: Engine,
  kind: DocumentKind,
  clientId: number,
  record: DocumentRecord,
  usernames: readonly string[],
  kept?: PrintMaterial,
): Promise<PrintMaterial> {
  const unknown = [...new Set(usernames)].filter((name) => kept?.names[name] === undefined)
  const found = unknown.length ? await readUserNames(engine, clientId, unknown) : new Map<string, string>()
  const names = { ...Object.fromEntries(found), ...kept?.names }
  if (kept) return { ...kept, names }
  return {
    letterhead: await readLetterhead(engine, clientId),
    pictures: await findPictures(engine, clientId, picturesOf(kind, record)),
    industry: nameIn(record.industry),
    names,
  }
}

/** A record's uploads, in order and without duplicates, with the captions in the record. */
function picturesOf(kind: DocumentKind, record: DocumentRecord): PictureReference[] {
  const all = uploadsOf(kind, record).flatMap(({ '@id': iri, label }) => {
    const id = idAtEnd(iri)
    return id === undefined ? [] : [[id, { id, label }] as const]
  })
  return [...new Map(all).values()]
}

const nameIn = (embedded: unknown): string =>
  embedded !== null && typeof embedded === 'object' && 'name' in embedded ? textOf(embedded.name) : ''
