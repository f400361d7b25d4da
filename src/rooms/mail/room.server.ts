import type { Room } from '#server/behaviour.ts'
import { message } from './message.ts'
import { sendMail } from './send.server.ts'

export const mail: Room = { name: 'mail', resources: [message], jobs: [sendMail] }
