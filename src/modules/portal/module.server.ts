import { joinFeatures } from '#server/engine/module.ts'
import { activity } from './activity/routes.server.ts'
import { alerts } from './alerts/alert-rule.server.ts'
import { banners } from './banners/banner.server.ts'
import { clients } from './clients/client.server.ts'
import { clock } from './clock/clock.server.ts'
import { downloads } from './downloads/downloads.server.ts'
import { failedJobs } from './failures/failures.server.ts'
import { files } from './files/files.server.ts'
import { letterheads } from './letterhead/letterhead.server.ts'
import { mail } from './mail/send.server.ts'
import { PORTAL_NAV } from './nav.ts'
import { notices } from './notices/routes.server.ts'
import { packs } from './packs/routes.server.ts'
import { resellers } from './resellers/reseller.server.ts'
import { batchJobFeature } from './runs/run.server.ts'
import { support } from './support/ticket.server.ts'
import { views } from './views/views.server.ts'

export const portalModule = joinFeatures('portal', [
  { navigation: PORTAL_NAV },
  clients,
  packs,
  activity,
  resellers,
  files,
  support,
  banners,
  downloads,
  letterheads,
  mail,
  batchJobFeature,
  views,
  notices,
  alerts,
  failedJobs,
  clock,
])
