#include "store/libpq.hpp"

#include "store/loaded_library.hpp"

namespace dibs::store {

const libpq* libpq_functions() {
  static libpq all;
  static const bool is_there = [] {
    loaded_library library("libpq.so.5");
    library.find("PQclear", all.PQclear);
    library.find("PQconnectdb", all.PQconnectdb);
    library.find("PQconnectdbParams", all.PQconnectdbParams);
    library.find("PQconsumeInput", all.PQconsumeInput);
    library.find("PQenterPipelineMode", all.PQenterPipelineMode);
    library.find("PQerrorMessage", all.PQerrorMessage);
    library.find("PQexec", all.PQexec);
    library.find("PQexitPipelineMode", all.PQexitPipelineMode);
    library.find("PQfinish", all.PQfinish);
    library.find("PQflush", all.PQflush);
    library.find("PQgetResult", all.PQgetResult);
    library.find("PQgetisnull", all.PQgetisnull);
    library.find("PQgetvalue", all.PQgetvalue);
    library.find("PQisBusy", all.PQisBusy);
    library.find("PQnfields", all.PQnfields);
    library.find("PQntuples", all.PQntuples);
    library.find("PQpipelineSync", all.PQpipelineSync);
    library.find("PQprepare", all.PQprepare);
    library.find("PQsendPrepare", all.PQsendPrepare);
    library.find("PQresultErrorMessage", all.PQresultErrorMessage);
    library.find("PQresultStatus", all.PQresultStatus);
    library.find("PQsendQueryParams", all.PQsendQueryParams);
    library.find("PQsendQueryPrepared", all.PQsendQueryPrepared);
    library.find("PQsetnonblocking", all.PQsetnonblocking);
    library.find("PQsocket", all.PQsocket);
    library.find("PQstatus", all.PQstatus);
    return library.is_there();
  }();
  return is_there ? &all : nullptr;
}

}  // namespace dibs::store
