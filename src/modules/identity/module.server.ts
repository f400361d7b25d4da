import type { Module } from '#server/engine/module.ts'
import { commands } from './commands.server.ts'
import { nav } from './nav.ts'
import { sendForgotten } from './passwords/forgotten.server.ts'
import { passwordLink } from './passwords/letters.server.ts'
import { passwordRoutes } from './passwords/routes.server.ts'
import { userBehaviour } from './people/user.server.ts'
import { securityUser, user } from './people/user.ts'
import { namesRoute } from './portal/names.server.ts'
import { portalRoutes } from './portal/routes.server.ts'
import { roleReference } from './roles/reference.server.ts'
import { roleBehaviour } from './roles/role.server.ts'
import { role } from './roles/role.ts'
import { roleCategory } from './roles/role-category.ts'
import { othersFactorRoutes } from './second-factor/of-others-routes.server.ts'
import { securityEvent } from './security-log/security-event.ts'
import { trimSecurityLog } from './security-log/trim.server.ts'
import { secondFactorRoutes } from './sessions/own-factor-routes.server.ts'
import { sessionRoutes } from './sessions/routes.server.ts'
import { secondStepRoutes } from './sessions/second-step-routes.server.ts'
import { tidy } from './sessions/tidy.server.ts'
import { userToken } from './sessions/user-token.server.ts'
import { visit } from './visits/visit.ts'

export const identity: Module = {
  name: 'identity',
  navigation: nav,
  resources: [user, securityUser, role, roleCategory, visit, securityEvent],
  behaviours: [userBehaviour, roleBehaviour],
  routes: [
    ...sessionRoutes,
    userToken,
    ...secondStepRoutes,
    ...secondFactorRoutes,
    ...othersFactorRoutes,
    ...passwordRoutes,
    ...portalRoutes,
    namesRoute,
  ],
  links: [passwordLink],
  commands,
  handlers: [sendForgotten],
  schedules: [tidy, trimSecurityLog],
  referenceData: [roleReference],
  demo: () => import('./demo.server.ts'),
}
