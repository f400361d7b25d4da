import { uploadedDocument } from '#modules/portal/files/uploaded-document.ts'
import { PORTAL_NAV } from '#modules/portal/nav.ts'
import { searchGroup } from '#web/shell/manifest/search.ts'
import { document } from './types/document.ts'
import { DOCUMENT_STATES, DOCUMENT_STATUS_LABELS, type DocumentState } from './types/transitions.ts'
import type { DocumentTypeInfo } from './types/type-info.ts'

/**
 * Creates the search across the company's documents of all types, in one request. Replaced and deleted documents are
 * found only in their type's list.
 */
export const createDocumentSearch = (kinds: readonly DocumentTypeInfo[]) => {
  const kindOf = new Map(kinds.map((k) => [k.kind, k]))
  return searchGroup({
    label: 'Documents',
    icon: 'shield',
    resource: document,
    params: (actor) => ({
      client: actor.clientId,
      kind: [...kindOf.keys()],
      state: DOCUMENT_STATES.filter((s) => s !== 'replaced'),
      deleted: false,
    }),
    title: (d) => `${d.documentNumber} ${d.title || `Untitled ${kindOf.get(d.kind ?? '')?.noun ?? 'document'}`}`,
    detail: (d) => [
      kindOf.get(d.kind ?? '')?.name,
      `revision ${d.revision}`,
      DOCUMENT_STATUS_LABELS[d.state as DocumentState].toLowerCase(),
    ],
    found: (d) => d.found,
    href: (d) => `${kindOf.get(d.kind ?? '')?.screens.list ?? ''}/view/${d.id}`,
  })
}

/** Search in the names, labels and texts of the company's files. */
export const fileSearch = searchGroup({
  label: 'Files',
  icon: PORTAL_NAV.files.icon,
  resource: uploadedDocument,
  params: (actor) => ({ client: actor.clientId, retired: false, replaced: false }),
  title: (f) => f.label || f.name || 'File',
  detail: (f) => [f.label ? f.name : '', f.version > 1 ? `version ${f.version}` : ''],
  found: (f) => f.found,
  href: (f) => `${PORTAL_NAV.files.path}?file=${f.id}`,
})
