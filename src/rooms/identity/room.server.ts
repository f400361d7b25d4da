import type { Sessions } from '#server/auth/sessions.ts'
import type { Room } from '#server/behaviour.ts'
import { passwordRoutes } from './password-routes.server.ts'
import { portalRoutes } from './portal-routes.server.ts'
import { roleBehaviours } from './role.server.ts'
import { role } from './role.ts'
import { roleCategory } from './roleCategory.ts'
import { sessionRoutes } from './session-routes.server.ts'
import { tidy } from './tidy.server.ts'
import { userBehaviour } from './user.server.ts'
import { securityUser, user } from './user.ts'
import { visit } from './visit.ts'

export const identity = (sessions: Sessions): Room => ({
  name: 'identity',
  resources: [user, securityUser, role, roleCategory, visit],
  behaviours: [userBehaviour, ...roleBehaviours],
  routes: [...sessionRoutes(sessions), ...passwordRoutes(sessions), ...portalRoutes],
  jobs: [tidy],
})
