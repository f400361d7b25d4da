import { PROVIDER } from '#kernel/roles.ts'
import type { Context } from '#server/engine/types.ts'
import { document } from '../types/document.ts'
import { needsApproval } from '../types/in-force.ts'
import { type DocumentContent, type DocumentKind, documentRecordTitle } from '../types/kind.ts'
import { contentForNext } from './begin.server.ts'

/** Adds system templates, current and sealed. Existing ones, by title, are not changed. */
export async function addSystemTemplates(
  c: Context,
  kind: DocumentKind,
  templates: readonly DocumentContent[],
): Promise<void> {
  const there = new Set((await c.find(document, { kind: kind.kind })).map((d) => d.title))
  for (const words of templates) {
    const template: DocumentContent = { ...words, isTemplate: true, complete: true, approved: needsApproval(kind) }
    if (!there.has(documentRecordTitle(kind, words))) await c.create(kind.resource, template)
  }
}

/** Content of a system template for a document that copies it. Throws if there is no such title. */
export async function systemTemplateContent(c: Context, kind: DocumentKind, title: string): Promise<DocumentContent> {
  const found = (await c.find(document, { kind: kind.kind, title, current: true })).find((d) => d.clientId === PROVIDER)
  const template = found && (await c.get(kind.resource, found.id))
  if (!template) throw new Error(`There is no template "${title}"`)
  return { ...contentForNext(kind, template), origin: template.id }
}
