import type { Room } from '#server/behaviour.ts'
import { copyRoute } from './copy.server.ts'
import { hazard, hazardControl, hazardGroup } from './hazard.ts'
import { packIndustry, riskIndustry } from './industry.ts'
import { libraryBehaviours } from './library.server.ts'
import { offerRoutes } from './offer.server.ts'
import { availablePpe, ppe } from './ppe.ts'
import { searchRoutes } from './search.server.ts'
import { signRoute } from './signs.server.ts'
import { standardStatement, task, templateLinkTask } from './statement.ts'

export const library: Room = {
  name: 'library',
  resources: [
    hazardGroup,
    hazard,
    hazardControl,
    riskIndustry,
    packIndustry,
    standardStatement,
    task,
    templateLinkTask,
    availablePpe,
    ppe,
  ],
  behaviours: libraryBehaviours,
  routes: [...offerRoutes, ...searchRoutes, copyRoute, signRoute],
}
