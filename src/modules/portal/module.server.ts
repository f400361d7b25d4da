import { listSetting, savedView } from '#kernel/lists/views.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature, joinFeatures } from '#server/engine/module.ts'
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
import { places } from './places/places.server.ts'
import { resellers } from './resellers/reseller.server.ts'
import { batchJobFeature } from './runs/run.server.ts'
import { support } from './support/ticket.server.ts'

const viewBehaviour = behaviour(savedView, {
  beforeSave: ({ before, actor }) => (before ? undefined : { owner: actor.userId, ownerName: actor.name }),
})

const settingBehaviour = behaviour(listSetting, {
  beforeSave: ({ before, actor }) => (before ? undefined : { owner: actor.userId }),
})

const views = feature({
  resources: [savedView, listSetting],
  behaviours: [viewBehaviour, settingBehaviour],
})

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
  places,
  mail,
  batchJobFeature,
  views,
  notices,
  alerts,
  failedJobs,
  clock,
])
