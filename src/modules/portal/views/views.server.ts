import { listSetting, savedView } from '#kernel/lists/views.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'

const viewBehaviour = behaviour(savedView, {
  beforeSave: ({ before, actor }) => (before ? undefined : { owner: actor.userId, ownerName: actor.name }),
})

const settingBehaviour = behaviour(listSetting, {
  beforeSave: ({ before, actor }) => (before ? undefined : { owner: actor.userId }),
})

export const views = feature({
  resources: [savedView, listSetting],
  behaviours: [viewBehaviour, settingBehaviour],
})
