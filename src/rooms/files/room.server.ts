import type { Room } from '#server/behaviour.ts'
import { documentFolder } from './documentFolder.ts'
import { fileBehaviours } from './files.server.ts'
import { folderPairing } from './pairing.server.ts'
import { fileRoutes } from './serve.server.ts'
import { upload } from './upload.server.ts'
import { uploadedDocument } from './uploadedDocument.ts'

export const files: Room = {
  name: 'files',
  resources: [documentFolder, uploadedDocument],
  behaviours: fileBehaviours,
  routes: [folderPairing, upload, ...fileRoutes],
}
