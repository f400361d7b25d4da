import { moduleOf } from '#server/engine/module.ts'
import { correctiveActions } from './corrective-action.server.ts'
import { actionsNav } from './nav.ts'

export const actions = moduleOf('actions', [{ navigation: actionsNav }, correctiveActions])
