/** Marks in the fields `_meta` of a part what kind it was of, which nobody here knows. */
export const UNKNOWN_PART = "bulkhead/unknown";
