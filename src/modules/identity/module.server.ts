import { joinFeatures } from '#server/engine/module.ts'
import { IDENTITY_NAV } from './nav.ts'
import { passwords } from './passwords/routes.server.ts'
import { people } from './people/user.server.ts'
import { portal } from './portal/routes.server.ts'
import { roles } from './roles/role.server.ts'
import { secondFactor } from './second-factor/prove.server.ts'
import { securityLog } from './security-log/trim.server.ts'
import { sessions } from './sessions/routes.server.ts'

export const identityModule = joinFeatures('identity', [
  { navigation: IDENTITY_NAV },
  people,
  roles,
  sessions,
  secondFactor,
  passwords,
  portal,
  securityLog,
])
