import { readId } from '#kernel/iri.ts'
import { AUTHORS, READERS } from '#modules/documents/rights.ts'
import { screens } from '#web/shell/manifest/module.ts'
import { type Page, pageAt } from '#web/shell/manifest/page.ts'
import { panel, withPanels } from '#web/shell/manifest/panels.tsx'
import { customForm } from './custom-form.ts'
import { ANSWER, BUILD, CUSTOM_FORMS, customFormsNav, FILL } from './paths.ts'

const valid: Page['valid'] = ({ slug }) => readId(slug) !== undefined
const under = { pack: 'safety', under: CUSTOM_FORMS } as const

export const customForms = screens({
  pages: [
    { ...pageAt(customFormsNav), load: () => import('./list.web.tsx') },
    {
      path: `${CUSTOM_FORMS}/:slug`,
      title: 'Custom form',
      allow: READERS,
      ...under,
      valid,
      load: withPanels(customForm.type, () => import('./form.web.tsx')),
    },
    {
      path: BUILD,
      title: 'New form',
      allow: AUTHORS,
      ...under,
      writes: true,
      begins: 'New form',
      load: () => import('./builder.web.tsx'),
    },
    {
      path: `${BUILD}/:slug`,
      title: 'Edit form',
      allow: AUTHORS,
      ...under,
      writes: true,
      valid,
      load: () => import('./builder.web.tsx'),
    },
    {
      path: `${FILL}/:slug`,
      title: 'Complete form',
      allow: READERS,
      ...under,
      writes: true,
      availableOffline: true,
      valid,
      load: () => import('./fill.web.tsx'),
    },
    {
      path: `${ANSWER}/:slug`,
      title: 'Completed form',
      allow: READERS,
      ...under,
      valid,
      load: () => import('./answer.web.tsx'),
    },
  ],
  panels: [panel({ of: customForm.type, order: 10, load: () => import('../form-schedule/of-form.web.tsx') })],
})
