/**
 * URLs that every `DataList` requests before its rows: the person's list settings and saved views
 * (`views/use-views.ts`).
 */
export const LIST_SETTING_URLS = [
  '/api/portal/list_settings?pagination=false',
  '/api/portal/saved_views?pagination=false',
]
