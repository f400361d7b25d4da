import { listSetting, savedView } from '#kernel/lists/views.ts'
import type { Module } from '#server/engine/module.ts'
import { listBulk } from '#server/jobs/list-bulk.ts'
import { listExport } from '#server/jobs/list-export.ts'
import { activityBehaviours } from './activity/activity.server.ts'
import { applicationActivity, versionControl } from './activity/activity.ts'
import { activityRoutes } from './activity/routes.server.ts'
import { alertRoutes, alertRuleBehaviour } from './alerts/alert-rule.server.ts'
import { alertRule } from './alerts/alert-rule.ts'
import { bannerBehaviour, bannerRoutes } from './banners/banner.server.ts'
import { alertBanner } from './banners/banner.ts'
import { clientBehaviour, clientHealthBehaviour } from './clients/client.server.ts'
import { client, safetyClient } from './clients/client.ts'
import { clientHealth } from './clients/health.ts'
import { portalContact } from './clients/portal-contact.ts'
import { providerReference } from './clients/reference.server.ts'
import { clockRoutes } from './clock/clock.server.ts'
import { downloads } from './downloads/downloads.server.ts'
import { failureRoutes } from './failures/failures.server.ts'
import { documentFolder, FILE_PEOPLE } from './files/document-folder.ts'
import { expiryNotice, expiryReminder } from './files/expiry.server.ts'
import { fileBehaviours } from './files/files.server.ts'
import { folderPairing } from './files/pairing.server.ts'
import { fileRoutesOf } from './files/serve.server.ts'
import { upload } from './files/upload.server.ts'
import { uploadedDocument } from './files/uploaded-document.ts'
import { versionRoutes } from './files/versions.server.ts'
import { letterheadBehaviour } from './letterhead/letterhead.server.ts'
import { letterhead } from './letterhead/letterhead.ts'
import { sampleRoutes } from './letterhead/sample.server.ts'
import { sendDue, sendMail } from './mail/send.server.ts'
import { letterSchedule } from './mail/tidy.server.ts'
import { nav } from './nav.ts'
import { sendDigests } from './notices/digest.server.ts'
import { noticeBehaviour } from './notices/notice.server.ts'
import { notice } from './notices/notice.ts'
import { noticeRoutes } from './notices/routes.server.ts'
import { tidyNotices } from './notices/tidy.server.ts'
import { appStatusBehaviour } from './packs/app-status.server.ts'
import { appStatus, appStatusChange, packProduct } from './packs/app-status.ts'
import { packRoutes } from './packs/routes.server.ts'
import { resellerBehaviours, resellerRoutes } from './resellers/reseller.server.ts'
import { reseller, resellerClient } from './resellers/reseller.ts'
import { exportRoutes, exportSchedule } from './runs/export.server.ts'
import { runBehaviour, runSchedule } from './runs/run.server.ts'
import { run, runRefusal } from './runs/run.ts'
import { runNotice, tellRunOver } from './runs/run-notice.server.ts'
import { handOnTickets } from './support/desk.server.ts'
import { ticketBehaviour } from './support/ticket.server.ts'
import { supportTicket } from './support/ticket.ts'
import { viewBehaviours } from './views/views.server.ts'

export const portal: Module = {
  name: 'portal',
  navigation: nav,
  resources: [
    client,
    safetyClient,
    clientHealth,
    portalContact,
    packProduct,
    appStatus,
    appStatusChange,
    versionControl,
    applicationActivity,
    reseller,
    resellerClient,
    supportTicket,
    alertBanner,
    documentFolder,
    uploadedDocument,
    letterhead,
    run,
    runRefusal,
    savedView,
    listSetting,
    notice,
    alertRule,
  ],
  behaviours: [
    clientBehaviour,
    clientHealthBehaviour,
    appStatusBehaviour,
    ...activityBehaviours,
    ...resellerBehaviours,
    ticketBehaviour,
    bannerBehaviour,
    ...fileBehaviours,
    letterheadBehaviour,
    runBehaviour,
    ...viewBehaviours,
    noticeBehaviour,
    alertRuleBehaviour,
  ],
  routes: [
    folderPairing,
    downloads,
    upload,
    ...versionRoutes,
    ...sampleRoutes,
    ...fileRoutesOf(uploadedDocument, FILE_PEOPLE),
    ...failureRoutes,
    ...clockRoutes,
    ...exportRoutes,
    ...noticeRoutes,
    ...packRoutes,
    ...activityRoutes,
    ...resellerRoutes,
    ...bannerRoutes,
    ...alertRoutes,
  ],
  handlers: [sendMail, sendDue, tellRunOver, handOnTickets],
  schedules: [runSchedule, exportSchedule, letterSchedule, sendDigests, tidyNotices, expiryReminder],
  notifications: [runNotice, expiryNotice],
  batchJobs: [listBulk, listExport],
  referenceData: [providerReference],
  demo: () => import('./demo.server.ts'),
}
