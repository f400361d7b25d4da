import { feature } from '#server/engine/module.ts'
import { employeeLogin } from './employee-login.ts'
import { firstSignInRoutes } from './first-sign-in.server.ts'
import { lettersRoute } from './letters.server.ts'
import { previewRoute } from './preview.server.ts'
import { loginDetailsEmail, loginLink, markLoginSent, sendBehaviour, sendWaitingLogins } from './send.server.ts'

export const logins = feature({
  pack: 'employees',
  resources: [employeeLogin],
  behaviours: [sendBehaviour],
  routes: [previewRoute, lettersRoute, ...firstSignInRoutes],
  handlers: [markLoginSent],
  schedules: [sendWaitingLogins],
  emails: [loginDetailsEmail],
  links: [loginLink],
})
