import type { ModuleWithTypes } from '#modules/documents/offers.server.ts'
import { routesForPack } from '#server/engine/route.ts'
import { clientSafetyFigures, ownSafetyFigures } from './board/figures.server.ts'
import { attendanceRoutes } from './corrections/attendance-routes.server.ts'
import { correctedNotice, correcting } from './corrections/correcting.server.ts'
import { coshhAssessment, coshhSubstance } from './coshh/coshh-assessment.ts'
import { judgeSubstances, keepSubstances } from './coshh/keep-substances.server.ts'
import { coshhLists } from './coshh/lists.server.ts'
import { reviewAfterSheet } from './coshh/review-sheets.server.ts'
import { coshhTemplates } from './coshh/templates.server.ts'
import { customFormAnswers, formOfAnswer } from './custom-forms/answers.server.ts'
import { customForm, customFormAnswer, customFormVersion } from './custom-forms/custom-form.ts'
import { customFormEvidence } from './custom-forms/evidence.ts'
import { answerExports } from './custom-forms/export.server.ts'
import { copyForm, customForms, customFormVersions } from './custom-forms/forms.server.ts'
import { answerPdf } from './custom-forms/pdf.server.ts'
import { customFormReference } from './custom-forms/reference.server.ts'
import { otherUses } from './file-uses/other-uses.server.ts'
import { formDue, remindFormsDue } from './form-schedule/form-due.server.ts'
import { formSchedules, putOnFormsDue } from './form-schedule/form-schedule.server.ts'
import { formSchedule } from './form-schedule/form-schedule.ts'
import { askReviewRoutes, askReviews } from './impact/ask-reviews.server.ts'
import { whereUsed } from './impact/where-used.server.ts'
import { packIndustry, riskIndustry } from './industry.ts'
import { copyRoute } from './library/copy.server.ts'
import { hazard, hazardControl, hazardGroup } from './library/hazard.ts'
import { libraryBehaviours } from './library/library.server.ts'
import { availablePpe, ppe } from './library/ppe.ts'
import { libraryReference } from './library/reference.server.ts'
import { signRoute } from './library/signs.server.ts'
import { methodStatement } from './methods/method-statement.ts'
import { nav } from './nav.ts'
import { localAuthority } from './places/local-authority.ts'
import { placesReference } from './places/reference.server.ts'
import { arrangements } from './policies/arrangement.server.ts'
import { policyArrangement, policyArrangementAll, policyFunction, policyPerson } from './policies/arrangement.ts'
import { policy } from './policies/policy.ts'
import { policyReference } from './policies/reference.server.ts'
import { setupPolicy } from './policies/setup.server.ts'
import { ramsPack } from './rams/rams-pack.ts'
import { answerRoute, noteAnswer } from './requests/answering.server.ts'
import { receivedEvidence } from './requests/evidence.ts'
import { remindSenders, sendersLink } from './requests/letters.server.ts'
import { ramsReceived, ramsRequest, ramsRequestLink } from './requests/rams-request.ts'
import { receivedNotice, receiving, requesting } from './requests/request.server.ts'
import { sendingRoutes } from './requests/sending.server.ts'
import { coshhLinkRoutes } from './risk/coshh-link.server.ts'
import { coshhLink } from './risk/coshh-link.ts'
import { keepLines } from './risk/keep-lines.server.ts'
import { riskAssessment, riskItem } from './risk/risk-assessment.ts'
import { itemBehaviour } from './risk/risk-item.server.ts'
import { offerRoutes } from './risk/suggestions.server.ts'
import { matrixBehaviour } from './risk-matrix/risk-matrix.server.ts'
import { riskMatrix } from './risk-matrix/risk-matrix.ts'
import { plannedNotice, remindPresenters } from './schedule/planned-notice.server.ts'
import { scheduling, tickPlans } from './schedule/schedule.server.ts'
import { scheduledTalk } from './schedule/scheduled-talk.ts'
import { suggestedTalks } from './schedule/suggested.server.ts'
import { searchRoutes } from './statements/search.server.ts'
import { standardStatement, task, templateLinkTask } from './statements/statement.ts'
import { copySubstance } from './substances/copy.server.ts'
import { substanceReference } from './substances/reference.server.ts'
import { substance, substanceLimit } from './substances/substance.ts'
import { substanceBehaviour } from './substances/substances.server.ts'
import { presentedTalks, presenting } from './talks/presented.server.ts'
import { presentedEvidence } from './talks/presented-evidence.ts'
import { ownTalks, talkNotice } from './talks/sign-notice.server.ts'
import { attendee, presentedTalk, talkCorrection, toolboxTalk } from './talks/toolbox-talk.ts'
import { documentTemplates } from './templates.server.ts'

const kinds = [riskAssessment, methodStatement, toolboxTalk, coshhAssessment, policy, ramsPack]
const asking = askReviews(kinds)

export const safety: ModuleWithTypes = {
  name: 'safety',
  navigation: nav,
  resources: [
    hazardGroup,
    hazard,
    hazardControl,
    riskIndustry,
    packIndustry,
    localAuthority,
    standardStatement,
    task,
    templateLinkTask,
    availablePpe,
    ppe,
    riskItem,
    riskMatrix,
    substance,
    substanceLimit,
    coshhSubstance,
    coshhLink,
    presentedTalk,
    attendee,
    talkCorrection,
    scheduledTalk,
    policyArrangement,
    policyArrangementAll,
    policyFunction,
    policyPerson,
    customForm,
    customFormVersion,
    customFormAnswer,
    ramsRequest,
    ramsRequestLink,
    ramsReceived,
    formSchedule,
  ],
  kinds,
  keptRows: { [coshhAssessment.kind]: keepSubstances, [riskAssessment.kind]: keepLines },
  judgedRows: { [coshhAssessment.kind]: judgeSubstances },
  evidence: [presentedEvidence, ...customFormEvidence, receivedEvidence],
  notifications: [talkNotice, correctedNotice, plannedNotice, receivedNotice, formDue],
  links: [sendersLink],
  handlers: [reviewAfterSheet, tickPlans, putOnFormsDue, noteAnswer],
  schedules: [remindPresenters, remindSenders, remindFormsDue],
  batchJobs: [asking],
  behaviours: [
    ...libraryBehaviours,
    itemBehaviour,
    matrixBehaviour,
    substanceBehaviour,
    arrangements,
    presenting,
    correcting,
    scheduling,
    customForms,
    customFormVersions,
    customFormAnswers,
    requesting,
    receiving,
    formSchedules,
  ],
  routes: [
    clientSafetyFigures,
    otherUses,
    ...routesForPack('safety', [
      ownSafetyFigures,
      ...offerRoutes,
      ...searchRoutes,
      copyRoute,
      copySubstance,
      ...coshhLists,
      ...whereUsed,
      ...askReviewRoutes(kinds, asking),
      ...coshhLinkRoutes,
      signRoute,
      presentedTalks,
      ...attendanceRoutes,
      ownTalks,
      suggestedTalks,
      setupPolicy,
      copyForm,
      formOfAnswer,
      answerPdf,
      ...answerExports,
      ...sendingRoutes,
      answerRoute(kinds),
    ]),
  ],
  referenceData: [
    libraryReference,
    placesReference,
    substanceReference,
    documentTemplates,
    coshhTemplates,
    policyReference,
    customFormReference,
  ],
  demo: () => import('./demo.server.ts'),
}
