import type { Field, Fields } from '#kernel/fields.ts'
import { rowsOf } from '#kernel/forms/rows.ts'
import { idAtEnd } from '#kernel/iri.ts'
import type { Resource } from '#kernel/resource.ts'
import { PROVIDER } from '#kernel/roles.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import type { Engine } from '#server/engine/types.ts'
import { type DocumentKind, uploadAddress } from '../types/kind.ts'
import { firstReferenceFields } from '../types/reference.ts'
import { withoutUploads } from '../types/upload-fields.ts'

type Line = Readonly<Record<string, unknown>>

/**
 * Content of a document for another client. Leaves out uploads, references and library items of the first client;
 * library items of the provider are shared.
 */
export async function contentForOtherClient(engine: Engine, kind: DocumentKind, words: ApiRecord): Promise<ApiRecord> {
  const fields: Fields = kind.resource.fields
  const references = Object.keys(kind.references ?? {})
  const left = [
    ...references.map((name) => [name, []]),
    ...Object.keys(firstReferenceFields(kind.references)).map((name) => [name, null]),
  ]
  const lines: (readonly [string, readonly Line[]])[] = []
  for (const name of kind.rows.filter((field) => !references.includes(field))) {
    const of = fields[name]?.target?.()
    if (of) lines.push([name, await withSharedLinks(engine, of, rowsOf(words[name]))])
  }
  return { ...withoutUploads(kind, words), ...Object.fromEntries(left), ...Object.fromEntries(lines) }
}

/** Rows without links to records of their client: such relations become empty. */
async function withSharedLinks(engine: Engine, of: Resource, lines: readonly Line[]): Promise<readonly Line[]> {
  let shared = lines
  for (const [name, f] of Object.entries<Field>(of.fields)) {
    const target = f.kind === 'link' ? f.target?.() : undefined
    if (!target || target.tenant === 'shared') continue
    const ids = lines.flatMap((line) => idAtEnd(uploadAddress(line[name])) ?? [])
    if (!ids.length) continue
    const providers = new Set(
      (await engine.readIn(PROVIDER, 'content of a copy for another client', (c) => c.find(target, { id: ids }))).map(
        (r) => r.id,
      ),
    )
    shared = shared.map((line) =>
      providers.has(idAtEnd(uploadAddress(line[name])) ?? 0) || line[name] === undefined
        ? line
        : { ...line, [name]: null },
    )
  }
  return shared
}
