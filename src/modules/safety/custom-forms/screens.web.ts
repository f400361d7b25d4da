import { parseId } from '#kernel/iri.ts'
import { DOCUMENT_AUTHOR_ROLES, DOCUMENT_READER_ROLES } from '#modules/documents/rights.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageFromNavigation } from '#web/shell/manifest/page.ts'
import { recordPanel, withRecordPanels } from '#web/shell/manifest/panels.tsx'
import {
  COMPLETE_FORM_PATH,
  COMPLETED_FORM_PATH,
  CUSTOM_FORM_LIST_PATH,
  CUSTOM_FORMS_NAV,
  FORM_BUILDER_PATH,
} from './paths.ts'

const valid: Page['valid'] = ({ slug }) => parseId(slug) !== undefined
const under = { pack: 'safety', under: CUSTOM_FORM_LIST_PATH } as const

export const customForms = screens({
  pages: [
    { ...pageFromNavigation(CUSTOM_FORMS_NAV), load: () => import('./list.web.tsx') },
    {
      path: `${CUSTOM_FORM_LIST_PATH}/:slug`,
      title: 'Custom form',
      allow: DOCUMENT_READER_ROLES,
      ...under,
      valid,
      load: withRecordPanels('CustomForm', () => import('./form.web.tsx')),
    },
    {
      path: FORM_BUILDER_PATH,
      title: 'New form',
      allow: DOCUMENT_AUTHOR_ROLES,
      ...under,
      writes: true,
      begins: 'New form',
      load: () => import('./builder.web.tsx'),
    },
    {
      path: `${FORM_BUILDER_PATH}/:slug`,
      title: 'Edit form',
      allow: DOCUMENT_AUTHOR_ROLES,
      ...under,
      writes: true,
      valid,
      load: () => import('./builder.web.tsx'),
    },
    {
      path: `${COMPLETE_FORM_PATH}/:slug`,
      title: 'Complete form',
      allow: DOCUMENT_READER_ROLES,
      ...under,
      writes: true,
      availableOffline: 'typed',
      valid,
      load: () => import('./fill.web.tsx'),
    },
    {
      path: `${COMPLETED_FORM_PATH}/:slug`,
      title: 'Completed form',
      allow: DOCUMENT_READER_ROLES,
      ...under,
      valid,
      load: () => import('./answer.web.tsx'),
    },
    {
      path: '/form/:token',
      title: 'Form',
      layout: 'blank',
      open: true,
      load: () => import('../form-links/link-page.web.tsx'),
    },
  ],
  panels: [recordPanel({ of: 'CustomForm', order: 10, load: () => import('../form-schedule/of-form.web.tsx') })],
})
