import type { Context } from '#server/engine/context.ts'
import { document } from '../kinds/document.ts'
import type { DocumentKind } from '../kinds/kind.ts'

/** All revisions of a number, kept from others until the transaction ends. */
export const lockNumber = (c: Context, kind: DocumentKind, documentNumber: string) =>
  c.lockAll(document, { kind: kind.kind, documentNumber })

/** The revision after the last one of a number; nobody else is given it. */
export async function nextRevision(c: Context, kind: DocumentKind, documentNumber: string): Promise<number> {
  const all = await lockNumber(c, kind, documentNumber)
  return Math.max(0, ...all.map((d) => d.revision)) + 1
}

/** A later revision of the same number that is or was in force, if there is one. */
export const laterInForce = async (
  c: Context,
  kind: DocumentKind,
  { documentNumber, revision }: { readonly documentNumber: string; readonly revision: number },
) =>
  (await lockNumber(c, kind, documentNumber)).find(
    (d) => d.revision > revision && (d.state === 'current' || d.state === 'replaced'),
  )
