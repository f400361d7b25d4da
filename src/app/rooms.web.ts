import { billing } from '#rooms/billing/room.web.tsx'
import { crm } from '#rooms/crm/room.web.tsx'
import { gallery } from '#rooms/gallery/room.web.tsx'
import { identity } from '#rooms/identity/room.web.tsx'
import { portal } from '#rooms/portal/room.web.tsx'
import { safety } from '#rooms/safety/room.web.tsx'
import { sales } from '#rooms/sales/room.web.tsx'
import type { RoomWeb } from '#web/shell/faces/room.ts'

/** The build's setting; where nothing was built, as in tests, everything is there. */
declare const __GALLERY__: boolean
const withGallery = typeof __GALLERY__ === 'undefined' || __GALLERY__

/** Every room that the portal shows: what they bring stands in this order. The gallery is built in where `GALLERY` is on. */
export const rooms: readonly RoomWeb[] = [
  identity,
  portal,
  crm,
  billing,
  sales,
  safety,
  ...(withGallery ? [gallery] : []),
]
