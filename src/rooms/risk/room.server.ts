import type { Room } from '#server/behaviour.ts'
import { riskItem } from './risk-assessment.ts'
import { itemBehaviour } from './risk-item.server.ts'

export const risk: Room = { name: 'risk', resources: [riskItem], behaviours: [itemBehaviour] }
