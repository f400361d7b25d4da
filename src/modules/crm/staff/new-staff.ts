/** URL for creating a member of staff with a single request. */
export const NEW_STAFF_URL = '/api/crm/staff/new'
