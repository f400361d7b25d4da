import { searchGroup } from '#web/shell/manifest/search.ts'
import { uploadedDocument } from './files/uploaded-document.ts'
import { PORTAL_NAV } from './nav.ts'

export default [
  searchGroup({
    label: 'Files',
    icon: PORTAL_NAV.files.icon,
    resource: uploadedDocument,
    params: (actor) => ({ client: actor.clientId, retired: false, replaced: false }),
    title: (f) => f.label || f.name || 'File',
    detail: (f) => [f.label ? f.name : '', f.version > 1 ? `version ${f.version}` : ''],
    found: (f) => f.found,
    href: (f) => `${PORTAL_NAV.files.path}?file=${f.id}`,
  }),
]
