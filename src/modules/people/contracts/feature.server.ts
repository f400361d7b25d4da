import { feature } from '#server/engine/module.ts'
import { contract, contractPrint } from './contract.ts'
import { contractMailing } from './contract-mailing.ts'
import { contractTemplate, contractTemplateVersion } from './contract-template.ts'
import { contractReminder, expireContracts } from './deadlines.server.ts'
import {
  contractCompleteEmail,
  contractEmail,
  contractSecretLink,
  markContractEmailed,
  sendWaitingContracts,
} from './deliver.server.ts'
import { contractEvidence, contractPrintEvidence } from './evidence.ts'
import { linkedContractRoutes } from './link.server.ts'
import { mailingBehaviour, mailingJob, mailingPreviewRoute, sendToJoiners } from './mailing.server.ts'
import { contractNav } from './nav.ts'
import { contractNotifications } from './notify.server.ts'
import { contractPdfRoute, emailComplete, storePdfOfComplete } from './print.server.ts'
import { contractBehaviour, signingRoutes } from './signing.server.ts'
import { templateBehaviour, templateGuard } from './template.server.ts'

export const contracts = feature({
  pack: 'employees',
  navigation: contractNav,
  resources: [contractTemplate, contractTemplateVersion, contractMailing, contract, contractPrint],
  behaviours: [templateBehaviour, mailingBehaviour, contractBehaviour],
  guards: [templateGuard],
  routes: [mailingPreviewRoute, ...signingRoutes, contractPdfRoute, ...linkedContractRoutes],
  batchJobs: [mailingJob],
  schedules: [sendToJoiners, sendWaitingContracts, contractReminder, expireContracts],
  handlers: [markContractEmailed, storePdfOfComplete, emailComplete],
  notifications: contractNotifications,
  emails: [contractEmail, contractCompleteEmail],
  links: [contractSecretLink],
  evidence: [contractEvidence, contractPrintEvidence],
  seeds: () => import('./demo.server.ts'),
})
