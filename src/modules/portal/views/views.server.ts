import { listSetting, savedView } from '#kernel/lists/views.ts'
import { behaviour } from '#server/engine/behaviour.ts'

const views = behaviour(savedView, {
  beforeSave: ({ before, actor }) => (before ? undefined : { owner: actor.userId, ownerName: actor.name }),
})

const settings = behaviour(listSetting, {
  beforeSave: ({ before, actor }) => (before ? undefined : { owner: actor.userId }),
})

export const viewBehaviours = [views, settings] as const
