/**
 * Page path of each document type. The paths are repeated here to avoid a dependency cycle: the document types import
 * the library, and the library shows links to the documents.
 */
export const DOCUMENT_PAGE_PATHS: Readonly<Record<string, string>> = {
  risk_assessment: '/safety/risk-assessment',
  method_statement: '/safety/method-statement',
  toolbox_talk: '/safety/toolbox-talks',
  coshh_assessment: '/safety/coshh-assessment',
  rams_pack: '/safety/rams',
  safety_policy: '/safety/policy',
}
