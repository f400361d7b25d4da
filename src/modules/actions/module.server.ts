import { joinFeatures } from '#server/engine/module.ts'
import { correctiveActions } from './corrective-action.server.ts'
import { actionsNav } from './nav.ts'

export const actionsModule = joinFeatures('actions', [{ navigation: actionsNav }, correctiveActions])
