import { actionsWebModule } from '#modules/actions/module.web.tsx'
import { assuranceWebModule } from '#modules/assurance/module.web.tsx'
import { billingWebModule } from '#modules/billing/module.web.tsx'
import { crmWebModule } from '#modules/crm/module.web.tsx'
import { documentsWebModule } from '#modules/documents/module.web.tsx'
import { galleryWebModule } from '#modules/gallery/module.web.tsx'
import { identityWebModule } from '#modules/identity/module.web.tsx'
import { incidentsWebModule } from '#modules/incidents/module.web.tsx'
import { peopleWebModule } from '#modules/people/module.web.tsx'
import { portalWebModule } from '#modules/portal/module.web.tsx'
import { safetyWebModule } from '#modules/safety/module.web.tsx'
import { salesWebModule } from '#modules/sales/module.web.tsx'
import { tasksWebModule } from '#modules/tasks/module.web.tsx'
import { trainingWebModule } from '#modules/training/module.web.tsx'
import type { WebModule } from '#web/shell/manifest/module.ts'

/** Constant set by the build. Without a build, as in tests, the gallery is included. */
declare const __GALLERY__: boolean
const withGallery = typeof __GALLERY__ === 'undefined' || __GALLERY__

const declaring: readonly WebModule[] = [
  identityWebModule,
  portalWebModule,
  crmWebModule,
  billingWebModule,
  salesWebModule,
  safetyWebModule,
  actionsWebModule,
  peopleWebModule,
  incidentsWebModule,
  trainingWebModule,
  assuranceWebModule,
  tasksWebModule,
]

/** The portal's web modules, in display order. The gallery is included in builds with `GALLERY` on. */
export const modules: readonly WebModule[] = [
  ...declaring,
  documentsWebModule(declaring),
  ...(withGallery ? [galleryWebModule] : []),
]
