/** Where documents are read, by kind. The kinds' own infos stand in folders that know the library, which shows this. */
export const DOCUMENT_PAGE_PATHS: Readonly<Record<string, string>> = {
  risk_assessment: '/safety/risk-assessment',
  method_statement: '/safety/method-statement',
  toolbox_talk: '/safety/toolbox-talks',
  coshh_assessment: '/safety/coshh-assessment',
  rams_pack: '/safety/rams',
  safety_policy: '/safety/policy',
}
