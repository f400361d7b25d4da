import type { DocumentTypeInfo } from '#modules/documents/types/type-info.ts'
import { joinFeatures, type Module } from '#server/engine/module.ts'
import { myTasksRoute } from './my-tasks.server.ts'
import { tasksNav } from './nav.ts'

/** Creates the module of My-Task for documents of these types. */
export const tasksModule = (kinds: readonly DocumentTypeInfo[]): Module =>
  joinFeatures('tasks', [{ navigation: tasksNav, routes: [myTasksRoute(kinds)] }])
